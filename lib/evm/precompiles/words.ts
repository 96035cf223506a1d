/** Addresses of precompiles, and the input of those that have no ABI. */

import { asAddress } from '../../base/hex.ts'
import type { Address } from '../../base/hex.ts'

/** Length of a word in bytes. */
export const WORD = 32

/** The address of a precompile: its number in hexadecimal. */
export function precompileAddress(number: number): Address {
  return asAddress(`0x${number.toString(16).padStart(40, '0')}`)
}

/** Bytes at a position, padded with zeros beyond the input; a view of the input if it is long enough. */
export function bytesAt(input: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length <= input.length) return input.subarray(start, start + length)
  const bytes = new Uint8Array(length)
  bytes.set(input.subarray(start, start + length))
  return bytes
}

/** Number of words of the input, rounded up. */
export function wordCount({ length }: Uint8Array): number {
  return Math.ceil(length / WORD)
}
