/**
 * Assembles a WebAssembly module with arithmetic of Fp12 for pairings on BLS12-381. An element of Fp12 is a polynomial of
 * degree five in w with coefficients in Fp2, and w⁶ = ξ = 1 + u. Each coefficient of a result is one sum of products. The
 * result's address is the first parameter of each function and must differ from the operands'.
 */

import { FP2_BYTES, fp2Sums, sumOfProducts } from './fp2-code.ts'
import { constant, get } from './vector-code.ts'
import { I32, OP, body, join, moduleOf, number } from './wasm-code.ts'
import type { WasmCode, WasmFunctionCode } from './wasm-code.ts'

/** Coefficients of an element. */
export const DEGREE = 6

/** Bytes of an element of Fp12. */
export const FP12_BYTES = DEGREE * FP2_BYTES

/** Elements of Fp2 in memory: the modulus, zero, factors of the Frobenius map, and room for intermediate values. */
const SCRATCH_ELEMENTS = 2 * DEGREE
export const FP12_MEMORY = {
  modulus: 0,
  zero: FP2_BYTES,
  frobenius: 2 * FP2_BYTES,
  scratch: (2 + DEGREE) * FP2_BYTES,
  /** The first byte that the module leaves to its user. */
  free: (2 + DEGREE + SCRATCH_ELEMENTS) * FP2_BYTES,
} as const

/** Numbers of terms of the sums that the functions call. */
const TERMS = [0, 1, 2, 3, 4, 6]

/** Functions that the others call, in the order of the module. */
const CALLED = [...TERMS.map((terms) => `sum${terms}`), 'add', 'subtract', 'timesXi', 'conjugate']

/** Code that puts an element's address on the stack. */
type Operand = WasmCode

/** A coefficient of the element at the address in a parameter. */
const at = (parameter: number, index: number): Operand =>
  join(get(parameter), constant(index * FP2_BYTES), [I32.add])

const ZERO = constant(FP12_MEMORY.zero)

/** Room for the coefficients of two elements. */
const room =
  (element: number) =>
  (index: number): Operand =>
    constant(FP12_MEMORY.scratch + (element * DEGREE + index) * FP2_BYTES)
const [XI, DOUBLE] = [room(0), room(1)] as const
const LINE = DOUBLE
const [LEFT, RIGHT, PRODUCT, TURNED, SQUARED] = [XI(0), XI(1), XI(2), XI(3), XI(4)] as const

const call = (name: string, ...operands: readonly Operand[]): WasmCode =>
  join(...operands, [OP.call, ...number(CALLED.indexOf(name))])

type Factors = readonly [left: Operand, right: Operand]

/** Calculates the sum of products and another element. */
const sum = (to: Operand, added: Operand, ...products: readonly Factors[]): WasmCode =>
  call(`sum${products.length}`, to, added, ...products.flat())

const COEFFICIENTS = Array.from({ length: DEGREE }, (_, index) => index)

/** Does the same for all coefficients. */
const each = (code: (index: number) => WasmCode): WasmCode => COEFFICIENTS.flatMap(code)

/** The index that yields this one when another is added, modulo six. */
const rest = (index: number, other: number): number => (index - other + DEGREE) % DEGREE

/** The product of two elements. */
const multiply = (): WasmCode => [
  ...each((index) => call('timesXi', XI(index), at(2, index))),
  ...each((index) => {
    const right = (left: number): Operand => {
      const other = rest(index, left)
      return left > index ? XI(other) : at(2, other)
    }
    return sum(at(0, index), ZERO, ...COEFFICIENTS.map((left): Factors => [at(1, left), right(left)]))
  }),
]

/** The square of an element. Products of different coefficients count twice. */
const square = (): WasmCode => [
  ...each((index) => call('timesXi', XI(index), at(1, index))),
  ...each((index) => call('add', DOUBLE(index), at(1, index), at(1, index))),
  ...each((index) => {
    const pairs = COEFFICIENTS.map((one) => [one, rest(index, one)] as const)
    const products = pairs
      .filter(([one, other]) => one <= other)
      .map(([one, other]): Factors => {
        return [one === other ? at(1, one) : DOUBLE(one), one + other < DEGREE ? at(1, other) : XI(other)]
      })
    return sum(at(0, index), ZERO, ...products)
  }),
]

/**
 * The product of an element and a line through a point of the first group, 1 + a / y w³ + b x / y w⁵: a and b are the
 * third parameter, 1 / y and x / y the fourth.
 */
const multiplyByLine = (): WasmCode => [
  ...[3, 5].flatMap((index, coefficient) => [
    ...sum(LINE(index), ZERO, [at(2, coefficient), at(3, coefficient)]),
    ...call('timesXi', XI(index), LINE(index)),
  ]),
  ...each((index) =>
    sum(
      at(0, index),
      at(1, index),
      ...[3, 5].map((power): Factors => [at(1, rest(index, power)), (power > index ? XI : LINE)(power)]),
    ),
  ),
]

/**
 * The square of an element that is the inverse of its conjugate (Granger and Scott). With s = w³ the element is a + b w +
 * c w², and its square is 3 a² - 2 ā + (3 s c² + 2 b̄) w + (3 b² - 2 c̄) w², where ā is a with -s. The square of one of
 * them, r + t s, is r² + ξ t² + 2 r t s, where r² + ξ t² = (r + t) (r + ξ t) - (1 + ξ) r t.
 */
const squareUnitary = (): WasmCode =>
  [[0, 0, 3] as const, [1, 2, 5] as const, [2, 4, 1] as const].flatMap(([real, squares, product]) => {
    const [one, other] = [at(1, real), at(1, real + 3)] as const
    const triple = (element: Operand): WasmCode =>
      join(call('add', SQUARED, element, element), call('add', element, element, SQUARED))
    return [
      ...call('add', LEFT, one, other),
      ...triple(LEFT),
      ...call('timesXi', RIGHT, other),
      ...call('add', RIGHT, RIGHT, one),
      ...sum(PRODUCT, ZERO, [one, other]),
      ...triple(PRODUCT),
      ...call('timesXi', TURNED, PRODUCT),
      ...call('add', SQUARED, PRODUCT, TURNED),
      ...call('add', SQUARED, SQUARED, at(1, squares)),
      ...call('add', SQUARED, SQUARED, at(1, squares)),
      ...call('subtract', SQUARED, ZERO, SQUARED),
      ...sum(at(0, squares), SQUARED, [LEFT, RIGHT]),
      // The product with s is ξ w⁰ where the power of w exceeds five.
      ...call('add', PRODUCT, product < real ? TURNED : PRODUCT, at(1, product)),
      ...call('add', PRODUCT, PRODUCT, PRODUCT),
      ...sum(at(0, product), PRODUCT),
    ]
  })

/** The element to the power of the modulus. */
const frobenius = (): WasmCode =>
  each((index) => [
    ...call('conjugate', XI(index), at(1, index)),
    ...sum(at(0, index), ZERO, [XI(index), constant(FP12_MEMORY.frobenius + index * FP2_BYTES)]),
  ])

/** The element with -w, which is the inverse of an element of norm one. */
const conjugate12 = (): WasmCode =>
  each((index) =>
    index % 2 === 0
      ? call('add', at(0, index), at(1, index), ZERO)
      : call('subtract', at(0, index), ZERO, at(1, index)),
  )

/** The bytes of the module. */
export function fp12Module(modulus: bigint): Uint8Array {
  const withCode = (name: string, parameters: number, code: WasmCode): WasmFunctionCode => {
    return { name, parameters, body: body(0, code) }
  }
  return moduleOf([
    ...TERMS.map((terms) => sumOfProducts(terms, { value: modulus, at: FP12_MEMORY.modulus })),
    ...fp2Sums(),
    withCode('multiply', 3, multiply()),
    withCode('multiplyByLine', 4, multiplyByLine()),
    withCode('square', 2, square()),
    withCode('squareUnitary', 2, squareUnitary()),
    withCode('frobenius', 2, frobenius()),
    withCode('conjugate12', 2, conjugate12()),
  ])
}
