/** Modular exponentiation, at the prices of EIP-198 (network 33) or of Ethereum (EIP-2565, 7883), with the limit of EIP-7823. */

import { EMPTY_BYTES, bigIntToBytes, bytesToBigInt, stripZeros } from '../../../base/hex.ts'
import { modularPower } from '../../../crypto/modular-power.ts'
import type { Precompile, PrecompileCall } from '../../../evm/precompile.ts'
import { PrecompileFailure, WORD, bytesAt, precompileAddress } from '../../../evm/precompile.ts'
import type { EipRules } from '../../../config/eip-changes.ts'

/** Divisor of the gas, which is complexity times the length of the exponent (EIP-198). */
const DIVISOR = 20n

const MAX_LENGTH = 2 ** 31 - 1

/** Offset of the operands, after the three words with their lengths. */
const OPERANDS = 3 * WORD

/** Takes three lengths, base, exponent and modulus. Returns the power with the length of the modulus. */
export const modexp: Precompile = {
  address: precompileAddress(5),
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
    const power = bigIntToBytes(modularPower(number, bytesAt(input, atExponent, exponent), divisor))
    result.set(power, modulus - power.length)
    return result
  },
}

/** Reads the lengths of the operands in bytes, and limits them to the maximum. */
export const lengthsOf = (input: Uint8Array) => ({
  base: lengthAt(input, 0),
  exponent: lengthAt(input, WORD),
  modulus: lengthAt(input, 2 * WORD),
})

function lengthAt(input: Uint8Array, start: number): number {
  let length = 0
  for (let at = start; at < start + WORD && length < MAX_LENGTH; at++)
    length = 256 * length + (input[at] ?? 0)
  return Math.min(length, MAX_LENGTH)
}

/** Cost of a multiplication of numbers with this length (EIP-198). */
function complexity(length: bigint): bigint {
  const square = length * length
  if (length <= 64n) return square
  if (length <= 1024n) return square / 4n + 96n * length - 3072n
  return square / 16n + 480n * length - 199_680n
}

/** Adjusted exponent length: number of bits below the highest one, read from the first word (EIP-198). */
export function exponentLength(input: Uint8Array, base: number, length: number): number {
  const start = OPERANDS + base
  const first = start > MAX_LENGTH ? EMPTY_BYTES : bytesAt(input, start, Math.min(length, WORD))
  const bytes = stripZeros(first)
  const highest = Math.max(8 * bytes.length - 1 - (Math.clz32(bytes[0] ?? 0) - 24), 0)
  return length <= WORD ? highest : 8 * (length - WORD) + highest
}

const max = (left: bigint, right: bigint): bigint => (left > right ? left : right)

/** Leading bytes of the exponent whose bits are counted. Each other byte has its own price. */
const COUNTED_BYTES = 32

/** The precompile of Ethereum under the rules that EIPs set. */
export function ethereumModexp({
  modexpOperandSize,
  modexpPrice,
}: Pick<EipRules, 'modexpOperandSize' | 'modexpPrice'>): Precompile {
  return {
    ...modexp,
    gas: PRICES[modexpPrice],
    run: (call) => {
      const { base, exponent, modulus } = lengthsOf(call.input)
      if (Math.max(base, exponent, modulus) > modexpOperandSize)
        throw new PrecompileFailure('value out of range')
      return modexp.run(call)
    },
  }
}

/** Gas by the EIP that set the price. */
const PRICES: Readonly<Record<EipRules['modexpPrice'], Precompile['gas']>> = {
  'EIP-2565': ({ input }: PrecompileCall) => {
    const { base, exponent, modulus } = lengthsOf(input)
    const iterations = Math.max(exponentLength(input, base, exponent), 1)
    return Math.max(200, Math.floor((squareOfWords(Math.max(base, modulus)) * iterations) / 3))
  },
  'EIP-7883': ({ input }: PrecompileCall) => {
    const { base, exponent, modulus } = lengthsOf(input)
    const longest = Math.max(base, modulus)
    const complexity = longest <= COUNTED_BYTES ? 16 : 2 * squareOfWords(longest)
    // Each byte whose bits are not counted costs twice as much as in EIP-2565.
    const costOfLongExponent = 8 * Math.max(exponent - COUNTED_BYTES, 0)
    return Math.max(500, complexity * Math.max(exponentLength(input, base, exponent) + costOfLongExponent, 1))
  },
}

/** Cost of a multiplication of numbers with this many bytes, in squared words of eight bytes. */
const squareOfWords = (bytes: number): number => Math.ceil(bytes / 8) ** 2
