/** Writes the values of state variables as text. */

import type { StorageType } from '../artifacts/schemas.ts'
import { bytesToBigInt } from '../../base/hex.ts'

/** A value as text: numbers in decimal digits, short texts and bytes as they are, everything else as hex. */
export function valueText({ encoding, label }: StorageType, bytes: Uint8Array): string {
  if (encoding === 'bytes') return textOf(label, bytes)
  const number = bytesToBigInt(bytes)
  if (label === 'bool') return number === 0n ? 'false' : 'true'
  if (/^(uint|enum)/.test(label)) return number.toString()
  if (label.startsWith('int')) return BigInt.asIntN(8 * bytes.length, number).toString()
  return `0x${Buffer.from(bytes).toString('hex')}`
}

/** A text or bytes in their slot. Up to 31 bytes are in it; of longer ones it has the length. */
function textOf(label: string, word: Uint8Array): string {
  const last = word.at(-1) ?? 0
  if (last % 2 === 1) return `(${(bytesToBigInt(word) - 1n) / 2n} bytes)`
  return textValue({ label }, word.subarray(0, last / 2))
}

/** The bytes of a text in quotes, other bytes as hex. */
export function textValue({ label }: Pick<StorageType, 'label'>, bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes)
  return label === 'string' ? JSON.stringify(buffer.toString('utf8')) : `0x${buffer.toString('hex')}`
}
