import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { BLS_MODULUS } from '../../lib/crypto/bls12-381.ts'
import {
  FP2_BYTES,
  MONTGOMERY_BITS,
  fp2Sums,
  limbsOf,
  modulusLimbs,
  numberOf,
  sumOfProducts,
} from '../../lib/crypto/fp2-code.ts'
import { moduleOf } from '../../lib/crypto/wasm-code.ts'
import { compileWasm, startWasm, wasmMemory } from '../../lib/crypto/wasm.ts'

type Fp2 = readonly [real: bigint, imaginary: bigint]

const LIMBS = FP2_BYTES / 8

/** Starts the module; elements of Fp2 are numbered, and the modulus is the first. */
function started(terms: number) {
  const memory = wasmMemory(1)
  const code = moduleOf([sumOfProducts(terms, { value: BLS_MODULUS, at: 0 }), ...fp2Sums()])
  const { exports } = startWasm(compileWasm(code), memory)
  const limbs = new Int32Array(memory.buffer)
  limbs.set(modulusLimbs(BLS_MODULUS))
  const at = (element: number, limb: number, part: number) => 2 * LIMBS * element + 2 * limb + part
  return {
    run: (name: string, ...elements: readonly number[]) =>
      exports[name]!(...elements.map((element) => element * FP2_BYTES)),
    write: (element: number, parts: readonly (readonly number[])[]) =>
      parts.forEach((own, part) => own.forEach((limb, index) => (limbs[at(element, index, part)] = limb))),
    read: (element: number) =>
      [0, 1].map((part) => Array.from({ length: LIMBS }, (_, limb) => limbs[at(element, limb, part)]!)),
  }
}

const multiplied = ([a, b]: Fp2, [c, d]: Fp2): Fp2 => [a * c - b * d, a * d + b * c]
const modulo = (value: bigint): bigint => ((value % BLS_MODULUS) + BLS_MODULUS) % BLS_MODULUS

/** Elements as the functions leave them: close to zero, with limbs of at most 2^27. */
const bound = (BLS_MODULUS * 6n) / 10n
const number = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, bound, -bound, 2n ** 27n, -(2n ** 363n)),
  fc.bigInt({ min: -bound, max: bound }),
)
const element = fc.tuple(number, number)
const sum = (elements: readonly Fp2[]): Fp2 => [
  elements.reduce((total, [real]) => total + real, 0n),
  elements.reduce((total, [, imaginary]) => total + imaginary, 0n),
]

describe('arithmetic of Fp2 with vectors', () => {
  test.each([
    [1, 4, 4],
    [2, 2, 4],
    [3, 2, 2],
    [4, 2, 2],
    [6, 1, 2],
  ])('a sum of %i products of %i and %i summands', (terms, ofLeft, ofRight) => {
    const { run, write, read } = started(terms)
    const side = (summands: number) => fc.array(element, { minLength: summands, maxLength: summands })
    const factors = fc.array(fc.tuple(side(ofLeft), side(ofRight)), { minLength: terms, maxLength: terms })
    fc.assert(
      fc.property(factors, element, (products, added) => {
        write(1, added.map(limbsOf))
        const sides = products.flat()
        sides.forEach((summands, index) => {
          // Limbs are added without carries.
          const parts = [0, 1].map((part) => summands.map((one) => limbsOf(one[part]!)))
          write(
            3 + index,
            parts.map((rows) => rows[0]!.map((_, limb) => rows.reduce((all, row) => all + row[limb]!, 0))),
          )
        })
        run(`sum${terms}`, 2, 1, ...sides.map((_, index) => 3 + index))
        const expected = sum(products.map(([left, right]) => multiplied(sum(left), sum(right))))
        read(2).forEach((limbs, part) => {
          const value = numberOf(limbs)
          expect(modulo((value - added[part]!) << MONTGOMERY_BITS)).toBe(modulo(expected[part]!))
          expect(limbs).toEqual(limbsOf(value))
          expect(value < bound && value > -bound).toBe(true)
        })
      }),
      { numRuns: 200 },
    )
  })

  test('without products, an element of fifteen summands is brought close to zero', () => {
    const { run, write, read } = started(0)
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 15 }), (summands) => {
        const parts = [0, 1].map((part) => summands.map((one) => limbsOf(one[part]!)))
        write(
          1,
          parts.map((rows) => rows[0]!.map((_, limb) => rows.reduce((all, row) => all + row[limb]!, 0))),
        )
        run('sum0', 2, 1)
        read(2).forEach((limbs, part) => {
          const value = numberOf(limbs)
          expect(modulo(value)).toBe(modulo(sum(summands)[part]!))
          expect(limbs).toEqual(limbsOf(value))
          expect(value < bound && value > -bound).toBe(true)
        })
      }),
    )
  })

  test('no column overflows when six summands are multiplied by an element and another one times 1 + u', () => {
    const { run, write, read } = started(1)
    const limbs = (factor: number) =>
      Array.from({ length: LIMBS }, (_, limb) => factor * (limb < LIMBS - 1 ? 2 ** 27 : 2 ** 16))
    write(1, [limbsOf(0n), limbsOf(0n)])
    for (const [left, right] of [
      [[6, 6], [3, 1]], // prettier-ignore
      [[6, -6], [3, 1]], // prettier-ignore
      [[-6, 6], [-1, 3]], // prettier-ignore
      [[-6, -6], [1, -3]], // prettier-ignore
    ] as const) {
      write(3, left.map(limbs))
      write(4, right.map(limbs))
      run('sum1', 2, 1, 3, 4)
      const [one, other] = [left, right].map(([real, imaginary]): Fp2 => {
        return [numberOf(limbs(real)), numberOf(limbs(imaginary))]
      })
      const expected = multiplied(one!, other!).map(modulo)
      expect(read(2).map((own) => modulo(numberOf(own) << MONTGOMERY_BITS))).toEqual(expected)
    }
  })

  test('no column overflows when every limb has its largest absolute value', () => {
    const { run, write, read } = started(4)
    const largest = Array.from({ length: LIMBS }, (_, limb) => (limb < LIMBS - 1 ? 2 ** 28 : 2 ** 17))
    const values = [numberOf(largest), -numberOf(largest)] as const
    write(1, [limbsOf(0n), limbsOf(0n)])
    for (const signs of [0b00, 0b01, 0b10, 0b11]) {
      const parts = [signs & 1, signs >> 1] as const
      write(
        3,
        parts.map((negative) => largest.map((limb) => (negative === 1 ? -limb : limb))),
      )
      run('sum4', 2, 1, 3, 3, 3, 3, 3, 3, 3, 3)
      const factor: Fp2 = [values[parts[0]]!, values[parts[1]]!]
      const expected = multiplied(factor, factor).map((part) => modulo(4n * part))
      expect(read(2).map((limbs) => modulo(numberOf(limbs) << MONTGOMERY_BITS))).toEqual(expected)
    }
  })

  test('sums, differences, conjugates, and products with 1 + u', () => {
    const { run, write, read } = started(1)
    fc.assert(
      fc.property(element, element, (left, right) => {
        write(1, left.map(limbsOf))
        write(2, right.map(limbsOf))
        const result = (name: string, ...operands: readonly number[]) => {
          run(name, 3, ...operands)
          return read(3).map(numberOf)
        }
        expect(result('add', 1, 2)).toEqual([left[0] + right[0], left[1] + right[1]])
        expect(result('subtract', 1, 2)).toEqual([left[0] - right[0], left[1] - right[1]])
        expect(result('conjugate', 1)).toEqual([left[0], -left[1]])
        expect(result('timesXi', 1)).toEqual([left[0] - left[1], left[0] + left[1]])
      }),
    )
  })
})
