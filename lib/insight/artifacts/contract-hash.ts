/** Detects whether a contract has changed between two test runs. */

import { createHash } from 'node:crypto'
import type { CompiledCode, CompiledContract } from './compilation.ts'

export const contractId = ({ path, name }: CompiledContract): string => `${path}:${name}`

/** Hash of a contract's ABI and both codes, without metadata hashes, which change with every comment. */
export function contractHash({ abi, creation, runtime }: CompiledContract): string {
  const hash = createHash('sha256').update(JSON.stringify(abi))
  for (const code of [creation, runtime]) hash.update('|').update(unmasked(code))
  return hash.digest('base64url')
}

function unmasked(code: CompiledCode | undefined): Uint8Array {
  const bytes = Uint8Array.from(code?.bytes ?? [])
  for (const { start, length } of code?.masks ?? []) bytes.fill(0, start, start + length)
  return bytes
}
