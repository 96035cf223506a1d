/** Deterministic random bytes: the same in every run and on every machine, so that responses can be compared. */

import { keccak256 } from './keccak.ts'

/** A source of pseudo-random bytes. The label determines all of them, so keys made from them are not secret. */
export function fixedRandom(label: string): (length: number) => Uint8Array {
  let drawn = 0
  const next = (): Uint8Array => keccak256(new TextEncoder().encode(`${label}/${drawn++}`))
  return (length) => {
    const bytes: number[] = []
    while (bytes.length < length) bytes.push(...next())
    return Uint8Array.from(bytes.slice(0, length))
  }
}
