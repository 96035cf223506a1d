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
const SCRATCH_ELEMENTS = 4 * DEGREE
export const FP12_MEMORY = {
  modulus: 0,
  zero: FP2_BYTES,
  frobenius: 2 * FP2_BYTES,
  scratch: (2 + DEGREE) * FP2_BYTES,
  /** The first byte that the module leaves to its user. */
  free: (2 + DEGREE + SCRATCH_ELEMENTS) * FP2_BYTES,
} as const

/** Numbers of terms of the sums that the functions call. */
const TERMS = [1, 2, 3, 4, 6]

/** Functions that the others call, in the order of the module. */
const CALLED = [...TERMS.map((terms) => `sum${terms}`), 'add', 'subtract', 'timesXi', 'conjugate']

/** Code that puts an element's address on the stack. */
type Operand = WasmCode

/** A coefficient of the element at the address in a parameter. */
const at = (parameter: number, index: number): Operand =>
  join(get(parameter), constant(index * FP2_BYTES), [I32.add])

const ZERO = constant(FP12_MEMORY.zero)

/** Room for the coefficients of up to four elements. */
const room =
  (element: number) =>
  (index: number): Operand =>
    constant(FP12_MEMORY.scratch + (element * DEGREE + index) * FP2_BYTES)
const [XI, DOUBLE, TRIPLE, NEGATIVE] = [room(0), room(1), room(2), room(3)] as const
const LINE = DOUBLE

const call = (name: string, ...operands: readonly Operand[]): WasmCode =>
  join(...operands, [OP.call, ...number(CALLED.indexOf(name))])

type Factors = readonly [left: Operand, right: Operand]

/** Calculates the sum of products and another element. */
const sum = (to: Operand, added: Operand, ...products: readonly Factors[]): WasmCode =>
  call(`sum${products.length}`, to, added, ...products.flat())

const COEFFICIENTS = Array.from({ length: DEGREE }, (_, index) => index)

/** Joins the code for all coefficients. */
const each = (code: (index: number) => WasmCode): WasmCode => COEFFICIENTS.flatMap(code)

/** The index whose sum with `other` is `index` modulo six. */
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
 * The product of an element and a line at a point (x, y) of G1, 1 + a / y w³ + b x / y w⁵. The third parameter is the
 * address of a and b, the fourth that of 1 / y and x / y.
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
 * c w², and its square is 3 a² - 2 ā + (3 s c² + 2 b̄) w + (3 b² - 2 c̄) w², where ā is a with -s.
 */
const squareUnitary = (): WasmCode => [
  ...each((index) => call('add', DOUBLE(index), at(1, index), at(1, index))),
  ...each((index) => call('add', TRIPLE(index), DOUBLE(index), at(1, index))),
  ...[3, 4, 5].flatMap((index) => call('timesXi', XI(index), at(1, index))),
  ...[0, 2, 4].flatMap((index) => call('subtract', NEGATIVE(index), ZERO, DOUBLE(index))),
  ...call('add', XI(1), XI(5), XI(5)),
  ...[[0, 0, 3, DOUBLE(3)] as const, [1, 2, 5, DOUBLE(4)] as const, [2, 4, 1, XI(1)] as const].flatMap(
    ([real, squares, product, twice]) => [
      ...sum(
        at(0, squares),
        NEGATIVE(squares),
        [TRIPLE(real), at(1, real)],
        [TRIPLE(real + 3), XI(real + 3)],
      ),
      ...sum(at(0, product), DOUBLE(product), [TRIPLE(real), twice]),
    ],
  ),
]

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
