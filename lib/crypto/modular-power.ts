/** Modular exponentiation: modulo numbers of up to 66 bytes in WebAssembly (montgomery-module.ts), of more with bigints. */

import { bigIntToBytes, bytesToBigInt, stripZeros } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import { inverseModuloBits } from './modular-inverse.ts'
import {
  LIMB_BITS,
  LIMB_BYTES,
  MAX_DIGIT,
  MONTGOMERY_MEMORY,
  MONTGOMERY_SIZES,
  WINDOW,
  montgomeryModule,
} from './montgomery-module.ts'
import { compileWasm, startWasm, wasmMemory } from './wasm.ts'

/** Maximum number of bytes of the exponent in memory at once. The memory has one page, 65,536 bytes. */
const MAX_BYTES = 2 ** 15

/** Minimum number of bits by which R exceeds the modulus. */
const SPARE_BITS = 2

/** Length of a word in memory in bytes; a limb has two words, of which the second is zero. */
const WORD_BYTES = 4
const LIMB_WORDS = LIMB_BYTES / WORD_BYTES

const LIMB_SHIFT = BigInt(LIMB_BITS)

/** Numbers below these have the same index in MONTGOMERY_SIZES. */
const LIMITS = MONTGOMERY_SIZES.map((limbs) => 1n << BigInt(limbs * LIMB_BITS - SPARE_BITS))

/** The base to the power of the exponent modulo a number that is not zero. */
export function modularPower(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  const bytes = stripZeros(exponent)
  if (bytes.length === 0) return 1n % modulus
  const size = MONTGOMERY_SIZES.find((_, index) => modulus < (LIMITS[index] ?? 0n))
  if (size === undefined || bytes.length === 1)
    return powerWithBigints(base % modulus, bytes, (value) => value % modulus)
  const zeros = (modulus & 1n) === 1n ? 0 : trailingZeros(modulus)
  const odd = zeros === 0 ? modulus : modulus >> BigInt(zeros)
  const ofOdd = odd === 1n ? 0n : montgomery().powerOf(base, bytes, { modulus: odd, size })
  if (zeros === 0) return ofOdd
  // The powers modulo two coprime factors of the modulus determine the power (Chinese remainder theorem).
  const difference = powerModuloBits(base, bytes, zeros) - ofOdd
  return ofOdd + odd * BigInt.asUintN(zeros, difference * inverseModuloBits(odd, zeros))
}

const trailingZeros = (value: bigint): number => (value & -value).toString(2).length - 1

/** Computes the power digit by digit. The digits of one byte are shorter: the powers for longer ones take more products. */
function powerWithBigints(base: bigint, exponent: Uint8Array, reduced: (value: bigint) => bigint): bigint {
  const bits = exponent.length === 1 ? 2 : WINDOW
  const powers = [1n, base]
  const powerTo = (digit: number): bigint => (powers[digit] ??= reduced(powerTo(digit - 1) * base))
  let power = 1n
  for (const byte of exponent) {
    for (let shift = 8 - bits; shift >= 0; shift -= bits) {
      if (power !== 1n) for (let bit = 0; bit < bits; bit++) power = reduced(power * power)
      const digit = (byte >> shift) & (2 ** bits - 1)
      if (digit > 0) power = reduced(power * powerTo(digit))
    }
  }
  return reduced(power)
}

/** The power modulo 2^bits. */
function powerModuloBits(base: bigint, exponent: Uint8Array, bits: number): bigint {
  const low = BigInt.asUintN(bits, base)
  const end = exponent.subarray(-Math.ceil(bits / 8))
  const lowExponent = BigInt.asUintN(bits, bytesToBigInt(end))
  const isShort = end.length === exponent.length && bytesToBigInt(end) === lowExponent
  // The order of an odd number divides 2^bits. An even number that is raised to 2^bits or more has the power zero.
  if (low === 0n || ((low & 1n) === 0n && !(isShort && lowExponent * BigInt(trailingZeros(low)) < bits)))
    return 0n
  return powerWithBigints(low, bigIntToBytes(lowExponent), (value) => BigInt.asUintN(bits, value))
}

/** An odd modulus, and the number of limbs of the numbers below it. */
interface OddModulus {
  readonly modulus: bigint
  readonly size: number
}

/** Calculates in the module, modulo odd numbers. */
class Montgomery {
  readonly #functions
  readonly #words: Int32Array
  readonly #bytes: Uint8Array

  constructor() {
    const { exports, bytes } = startWasm(compileWasm(montgomeryModule()), wasmMemory(1))
    this.#functions = exports
    this.#bytes = bytes()
    this.#words = new Int32Array(this.#bytes.buffer)
  }

  powerOf(base: bigint, exponent: Uint8Array, { modulus, size }: OddModulus): bigint {
    const at = MONTGOMERY_MEMORY
    const multiply = present(this.#functions[`multiply${size}`], 'multiply')
    const raise = present(this.#functions[`raise${size}`], 'raise')
    const power = (digit: number): number => at.powers + digit * size * LIMB_BYTES
    const shift = BigInt(size * LIMB_BITS)
    this.#write(at.modulus, modulus, size)
    this.#words[at.inverse / WORD_BYTES] = negativeInverse(this.#words[at.modulus / WORD_BYTES] ?? 0)
    this.#write(power(0), (1n << shift) % modulus, size)
    this.#write(power(1), ((base % modulus) << shift) % modulus, size)
    for (let digit = 2; digit <= MAX_DIGIT; digit++) multiply(power(digit), power(digit - 1), power(1))
    this.#bytes.copyWithin(at.power, power(0), power(1))
    for (let start = 0; start < exponent.length; start += MAX_BYTES) {
      const part = exponent.subarray(start, start + MAX_BYTES)
      this.#bytes.set(part, at.exponent)
      raise(at.exponent, at.exponent + part.length)
    }
    // A product with one removes the factor R.
    this.#write(power(0), 1n, size)
    multiply(at.power, at.power, power(0))
    return this.#read(at.power, size) % modulus
  }

  #write(at: number, value: bigint, size: number): void {
    let rest = value
    for (let word = at / WORD_BYTES; word < at / WORD_BYTES + size * LIMB_WORDS; word += LIMB_WORDS) {
      this.#words[word] = Number(BigInt.asUintN(LIMB_BITS, rest))
      rest >>= LIMB_SHIFT
    }
  }

  #read(at: number, size: number): bigint {
    let value = 0n
    for (let limb = size - 1; limb >= 0; limb--) {
      value = (value << LIMB_SHIFT) | BigInt(this.#words[at / WORD_BYTES + limb * LIMB_WORDS] ?? 0)
    }
    return value
  }
}

/** The negative inverse of an odd number modulo 2^28. */
function negativeInverse(odd: number): number {
  let inverse = 1
  for (let known = 1; known < LIMB_BITS; known *= 2) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse))
  return -inverse & (2 ** LIMB_BITS - 1)
}

let started: Montgomery | undefined

/** The module, started at its first use. */
const montgomery = (): Montgomery => (started ??= new Montgomery())
