/** Modular exponentiation (EIP-198), without the prices that later EIPs gave it. */

import { EMPTY_BYTES, bigIntToBytes, bytesToBigInt } from '../../../base/hex.ts'
import type { Precompile } from '../precompile.ts'
import { WORD, bytesAt, nativeAddress } from '../words.ts'

/** Gas is complexity times the length of the exponent, divided by this (EIP-198). */
const DIVISOR = 20n

/** Lengths beyond it count as it. */
const MAX_LENGTH = 2 ** 31 - 1

/** Where base, exponent and modulus begin: behind the three words with their lengths. */
const OPERANDS = 3 * WORD

/** Three lengths, base, exponent and modulus: the power, as long as the modulus. */
export const modexp: Precompile = {
  address: nativeAddress(5),
  name: 'modexp',
  gas: ({ input }) => {
    const { base, exponent, modulus } = lengthsOf(input)
    const length = max(BigInt(exponentLength(input, base, exponent)), 1n)
    return Number((complexity(BigInt(Math.max(base, modulus))) * length) / DIVISOR)
  },
  run: ({ input }) => {
    const { base, exponent, modulus } = lengthsOf(input)
    if (base === 0 && modulus === 0) return EMPTY_BYTES
    const atExponent = OPERANDS + base
    const atModulus = atExponent + exponent
    if (atModulus > MAX_LENGTH) return EMPTY_BYTES
    const result = new Uint8Array(modulus)
    const divisor = bytesToBigInt(bytesAt(input, atModulus, modulus))
    if (divisor === 0n) return result
    const number = bytesToBigInt(bytesAt(input, OPERANDS, base))
    const power = bigIntToBytes(powerOf(number, { input, start: atExponent, length: exponent }, divisor))
    result.set(power, modulus - power.length)
    return result
  },
}

/** Lengths of the operands in bytes. */
export interface Lengths {
  readonly base: number
  readonly exponent: number
  readonly modulus: number
}

/** What the input says of the lengths; too long ones count as the longest there can be. */
export function lengthsOf(input: Uint8Array): Lengths {
  const length = (index: number) =>
    Math.min(Number(bytesToBigInt(bytesAt(input, index * WORD, WORD))), MAX_LENGTH)
  return { base: length(0), exponent: length(1), modulus: length(2) }
}

/** What a multiplication of numbers so long costs (EIP-198). */
function complexity(length: bigint): bigint {
  const square = length * length
  if (length <= 64n) return square
  if (length <= 1024n) return square / 4n + 96n * length - 3072n
  return square / 16n + 480n * length - 199_680n
}

/** Bits of the exponent below its highest, as far as the first word tells them (EIP-198). */
export function exponentLength(input: Uint8Array, base: number, length: number): number {
  const start = OPERANDS + base
  const first = start > MAX_LENGTH ? EMPTY_BYTES : bytesAt(input, start, Math.min(length, WORD))
  const bits = bytesToBigInt(first)
  const highest = bits === 0n ? 0 : bits.toString(2).length - 1
  return length <= WORD ? highest : 8 * (length - WORD) + highest
}

/** The exponent as it stands in the input; what lies beyond it is zero. */
interface Exponent {
  readonly input: Uint8Array
  readonly start: number
  readonly length: number
}

/** Bits of the exponent that one multiplication takes in. */
const WINDOW = 4

/** Powers of the base by up to this are worked out when a window first needs them. */
const MAX_DIGIT = 2 ** WINDOW - 1

/**
 * The power by fixed windows, from the bytes: as a number, a long exponent would be copied for each of its windows.
 * Zeros in front of the exponent cost nothing.
 */
function powerOf(base: bigint, { input, start, length }: Exponent, modulus: bigint): bigint {
  const powers = [1n % modulus, base % modulus]
  const powerTo = (digit: number): bigint => (powers[digit] ??= (powerTo(digit - 1) * powerTo(1)) % modulus)
  let power: bigint | undefined
  for (let index = start; index < start + length; index++) {
    const byte = input[index] ?? 0
    for (const digit of [byte >> WINDOW, byte & MAX_DIGIT]) {
      if (power !== undefined) power = raisedToWindow(power, modulus)
      if (digit > 0) power = power === undefined ? powerTo(digit) : (power * powerTo(digit)) % modulus
    }
  }
  return power ?? powerTo(0)
}

/** The power of 16, by one squaring for each bit of a window. */
function raisedToWindow(value: bigint, modulus: bigint): bigint {
  let power = value
  for (let bit = 0; bit < WINDOW; bit++) power = (power * power) % modulus
  return power
}

const max = (left: bigint, right: bigint): bigint => (left > right ? left : right)
