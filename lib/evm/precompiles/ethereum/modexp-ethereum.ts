/** Modular exponentiation at the prices of Berlin and Osaka (EIP-2565; EIP-7823, 7883). */

import { modexp, exponentLength, lengthsOf } from './modexp.ts'
import { PrecompileFailure } from '../precompile.ts'
import type { PrecompileCall, Precompile } from '../precompile.ts'

/** Maximum bytes of each operand (EIP-7823). */
const MAX_BYTES = 1024

/** Leading bytes of the exponent whose bits are counted; the other bytes have a price each. */
const COUNTED_BYTES = 32

/** The precompile from Berlin to Prague. */
export const modexpBerlin: Precompile = {
  ...modexp,
  gas: ({ input }) => {
    const { base, exponent, modulus } = lengthsOf(input)
    const iterations = Math.max(exponentLength(input, base, exponent), 1)
    return Math.max(200, Math.floor((squareOfWords(Math.max(base, modulus)) * iterations) / 3))
  },
}

/** The precompile from Osaka on. */
export const modexpOsaka: Precompile = {
  ...modexp,
  gas: ({ input }) => {
    const { base, exponent, modulus } = lengthsOf(input)
    const longest = Math.max(base, modulus)
    const complexity = longest <= COUNTED_BYTES ? 16 : 2 * squareOfWords(longest)
    // Each byte that is not counted by bits costs twice as much as in EIP-2565.
    const dearer = 8 * Math.max(exponent - COUNTED_BYTES, 0)
    return Math.max(500, complexity * Math.max(exponentLength(input, base, exponent) + dearer, 1))
  },
  run: (call: PrecompileCall) => {
    const { base, exponent, modulus } = lengthsOf(call.input)
    if (Math.max(base, exponent, modulus) > MAX_BYTES) throw new PrecompileFailure('value out of range')
    return modexp.run(call)
  },
}

/** Cost of a multiplication of numbers with this many bytes, in squared words of eight bytes. */
const squareOfWords = (bytes: number): number => Math.ceil(bytes / 8) ** 2
