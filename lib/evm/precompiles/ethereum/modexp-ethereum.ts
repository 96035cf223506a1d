/** Modular exponentiation at the prices of Ethereum (EIP-2565, 7883), with the limit of EIP-7823. */

import type { EipRules } from '../../../config/eips.ts'
import { modexp, exponentLength, lengthsOf } from './modexp.ts'
import { PrecompileFailure } from '../precompile.ts'
import type { Precompile, PrecompileCall } from '../precompile.ts'

/** Leading bytes of the exponent whose bits are counted; the other bytes have a price each. */
const COUNTED_BYTES = 32

/** The precompile under the rules that EIPs set. */
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
    // Each byte that is not counted by bits costs twice as much as in EIP-2565.
    const costOfLongExponent = 8 * Math.max(exponent - COUNTED_BYTES, 0)
    return Math.max(500, complexity * Math.max(exponentLength(input, base, exponent) + costOfLongExponent, 1))
  },
}

/** Cost of a multiplication of numbers with this many bytes, in squared words of eight bytes. */
const squareOfWords = (bytes: number): number => Math.ceil(bytes / 8) ** 2
