/**
 * Products of pairings on BLS12-381 whose points of G2 are known in advance, for the verification of KZG proofs (EIP-4844).
 * For such points the lines of the Miller loop, its intermediate values, are computed once.
 */

import { PARAMETER_BITS, isFinalExponentiationOne } from './final-exponentiation.ts'
import { FP2_BYTES } from './fp2-code.ts'
import { FP12_BYTES } from './fp12-module.ts'
import type { Fp12 } from './fp12.ts'
import { SIZE } from './mcl.ts'
import type { Mcl } from './mcl.ts'

/** Length of a line in memory in bytes: two elements of Fp2. */
const LINE_BYTES = 2 * FP2_BYTES

/** Steps of the Miller loop, in order. */
const STEPS = PARAMETER_BITS.flatMap((bit) =>
  bit === 1 ? (['double', 'add'] as const) : (['double'] as const),
)

/** The address of a point of G1 in mcl's memory, and that of the lines of a point of G2 in the memory of `Fp12`. */
export type Pair = readonly [point: number, lines: number]

/** Calculates pairings. Parameters are addresses. */
export class FixedPairing {
  readonly #mcl: Mcl
  readonly #field: Fp12

  constructor(mcl: Mcl, field: Fp12) {
    this.#mcl = mcl
    this.#field = field
  }

  /** Calculates the lines of the Miller loop for a point of G2 in mcl's memory, which run through its multiples. */
  linesOf(point: number): number {
    const mcl = this.#mcl
    const lines = this.#field.take(STEPS.length * LINE_BYTES)
    mcl.scope(() => {
      mcl.run('mclBnG2_normalize', point, point)
      const multiple = mcl.put(mcl.bytesAt(point, SIZE.g2))
      for (const [index, step] of STEPS.entries()) {
        this.#writeLine(lines + index * LINE_BYTES, multiple, step === 'double' ? multiple : point)
        mcl.run('mclBnG2_add', multiple, multiple, step === 'double' ? multiple : point)
        mcl.run('mclBnG2_normalize', multiple, multiple)
      }
    })
    return lines
  }

  /**
   * Writes the line through two points. A point (x, y) on the twist y² = x³ + 4 ξ represents the point (x / w², y / w³) of
   * the curve. With its slope s it is Y - y / w³ - s / w (X - x / w²), so with ξ = w⁶ the numbers are (s x - y) / ξ and -s /
   * ξ.
   */
  #writeLine(at: number, one: number, other: number): void {
    const mcl = this.#mcl
    mcl.scope(() => {
      const [x, y] = [one, one + 2 * SIZE.fp] as const
      const take = (): number => mcl.take(2 * SIZE.fp)
      const [slope, run, xi] = [take(), take(), take()] as const
      if (one === other) {
        mcl.run('mclBnFp2_sqr', run, x)
        mcl.run('mclBnFp2_add', slope, run, run)
        mcl.run('mclBnFp2_add', slope, slope, run)
        mcl.run('mclBnFp2_add', run, y, y)
      } else {
        mcl.run('mclBnFp2_sub', slope, y, other + 2 * SIZE.fp)
        mcl.run('mclBnFp2_sub', run, x, other)
      }
      mcl.run('mclBnFp2_div', slope, slope, run)
      for (const part of [xi, xi + SIZE.fp]) mcl.run('mclBnFp_setInt32', part, 1)
      mcl.run('mclBnFp2_mul', run, slope, x)
      mcl.run('mclBnFp2_sub', run, run, y)
      mcl.run('mclBnFp2_div', run, run, xi)
      mcl.run('mclBnFp2_neg', slope, slope)
      mcl.run('mclBnFp2_div', slope, slope, xi)
      this.#field.copy(at, run, 2)
      this.#field.copy(at + FP2_BYTES, slope, 2)
    })
  }

  /** Whether the product of the pairings is one. */
  isProductOne(pairs: readonly Pair[]): boolean {
    const field = this.#field
    return field.scope(() => {
      const placed = pairs.map(([point, lines]) => [this.#writePoint(point), lines] as const)
      let [product, next] = [field.take(FP12_BYTES), field.take(FP12_BYTES)]
      field.writeOne(product)
      for (const [index, step] of STEPS.entries()) {
        if (step === 'double') {
          field.run('square', next, product)
          ;[product, next] = [next, product]
        }
        for (const [point, lines] of placed) {
          field.run('multiplyByLine', next, product, lines + index * LINE_BYTES, point)
          ;[product, next] = [next, product]
        }
      }
      return isFinalExponentiationOne(field, product)
    })
  }

  /** Writes 1 / y and x / y of a point. Both are zero at infinity, where lines become one and so does the pairing. */
  #writePoint(point: number): number {
    const [mcl, field] = [this.#mcl, this.#field]
    return mcl.scope(() => {
      const at = field.take(2 * FP2_BYTES)
      const [inverse, quotient] = [mcl.take(SIZE.fp), mcl.take(SIZE.fp)]
      mcl.run('mclBnG1_normalize', point, point)
      mcl.run('mclBnFp_inv', inverse, point + SIZE.fp)
      mcl.run('mclBnFp_mul', quotient, inverse, point)
      field.copy(at, inverse, 1)
      field.copy(at + FP2_BYTES, quotient, 1)
      return at
    })
  }
}
