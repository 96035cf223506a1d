/** Modular exponentiation with BigInts, by a window of bits of the exponent. */

import { stripZeros } from '../base/hex.ts'

/** Bits of the exponent in one step. An exponent of one byte has shorter steps, because more powers would need more products. */
const WINDOW = 4
const SHORT_WINDOW = 2

/** The base to the power of the exponent modulo a number that is not zero. */
export function modularPower(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  const bytes = stripZeros(exponent)
  const bits = bytes.length === 1 ? SHORT_WINDOW : WINDOW
  const powers = [1n, base % modulus]
  const powerTo = (digit: number): bigint => (powers[digit] ??= (powerTo(digit - 1) * powerTo(1)) % modulus)
  let power = 1n
  for (const byte of bytes) {
    for (let shift = 8 - bits; shift >= 0; shift -= bits) {
      if (power !== 1n) for (let bit = 0; bit < bits; bit++) power = (power * power) % modulus
      const digit = (byte >> shift) & (2 ** bits - 1)
      if (digit > 0) power = (power * powerTo(digit)) % modulus
    }
  }
  return power % modulus
}
