/** Randomness that is none: the same bytes in every run and on every machine, for answers that are to be the same. */

import { keccak256 } from './keccak.ts'

/** A source of bytes that look random. Whoever knows the label can tell them all: keys made of them are no secret. */
export function fixedRandom(label: string): (length: number) => Uint8Array {
  let drawn = 0
  const next = (): Uint8Array => keccak256(new TextEncoder().encode(`${label}/${drawn++}`))
  return (length) => {
    const bytes: number[] = []
    while (bytes.length < length) bytes.push(...next())
    return Uint8Array.from(bytes.slice(0, length))
  }
}
