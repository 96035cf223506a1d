/**
 * Assembles a WebAssembly module with arithmetic of Fp12 for pairings on BLS12-381. An element of Fp12 is a polynomial of
 * degree five in w with coefficients in Fp2, and w⁶ = ξ = 1 + u. Each coefficient of a result is one sum of products. The
 * result's address is the first parameter of each function and must differ from the operands'.
 */

import { FP2_BYTES, fp2Sums, sumOfProducts } from './fp2-code.ts'
import { constant, get } from './vector-code.ts'
import { I32, OP, body, join, moduleOf, leb128 } from './wasm-code.ts'
import type { WasmCode, WasmFunctionCode } from './wasm-code.ts'

/** Coefficients of an element. */
export const DEGREE = 6

/** Length of an element of Fp12 in bytes. */
export const FP12_BYTES = DEGREE * FP2_BYTES

/** Elements of Fp2 in memory: the modulus, zero, factors of the Frobenius map, and room for intermediate values. */
const SCRATCH_ELEMENTS = 2 * DEGREE + 3
export const FP12_MEMORY = {
  modulus: 0,
  zero: FP2_BYTES,
  frobenius: 2 * FP2_BYTES,
  scratch: (2 + DEGREE) * FP2_BYTES,
  /** The first byte that the module leaves to its user. */
  free: (2 + DEGREE + SCRATCH_ELEMENTS) * FP2_BYTES,
} as const

/** Numbers of terms of the sums that the functions call. */
const TERMS = [0, 1, 2, 3]

/** Functions that the others call, in the order of the module. */
const CALLED = [...TERMS.map((terms) => `sum${terms}`), 'add', 'subtract', 'timesXi', 'conjugate']

/** Code that puts an element's address on the stack. */
type Operand = WasmCode

/** A coefficient of the element at the address in a parameter. */
const at = (parameter: number, index: number): Operand =>
  join(get(parameter), constant(index * FP2_BYTES), [I32.add])

const ZERO = constant(FP12_MEMORY.zero)

/** Room for some elements of Fp2 from an index on. */
const room =
  (first: number) =>
  (index: number): Operand =>
    constant(FP12_MEMORY.scratch + (first + index) * FP2_BYTES)
const [PRODUCT, LEFT, RIGHT, ADDED] = [room(0), room(3), room(6), room(9)] as const
const [XI, LINE, TURNED] = [room(0), room(DEGREE), room(2 * DEGREE)] as const
const HIGHEST = TURNED(0)

const call = (name: string, ...operands: readonly Operand[]): WasmCode =>
  join(...operands, [OP.call, ...leb128(CALLED.indexOf(name))])

type Factors = readonly [left: Operand, right: Operand]

/** Calculates the sum of products and another element. */
const sum = (to: Operand, added: Operand, ...products: readonly Factors[]): WasmCode =>
  call(`sum${products.length}`, to, added, ...products.flat())

const COEFFICIENTS = Array.from({ length: DEGREE }, (_, index) => index)

/** Joins the code for all coefficients. */
const each = (code: (index: number) => WasmCode): WasmCode => COEFFICIENTS.flatMap(code)

/** The index whose sum with `other` is `index` modulo six. */
const rest = (index: number, other: number): number => (index - other + DEGREE) % DEGREE

/** The places of three coefficients of a polynomial in v = w². */
type Polynomial = (index: number) => Operand

/** The coefficients of an element with even or odd powers of w: it is a + b w with polynomials a and b. */
const even = (parameter: number): Polynomial => {
  return (index) => at(parameter, 2 * index)
}
const odd = (parameter: number): Polynomial => {
  return (index) => at(parameter, 2 * index + 1)
}

/** Does the same for the coefficients of a polynomial. */
const eachOfThree = (code: (index: number) => WasmCode): WasmCode => [0, 1, 2].flatMap(code)

/** Calculates the sum of a product of polynomials and another polynomial. */
const product = (to: Polynomial, added: Polynomial, left: Polynomial, right: Polynomial): WasmCode => [
  ...[1, 2].flatMap((index) => call('timesXi', TURNED(index), right(index))),
  ...eachOfThree((index) => {
    const factors = [0, 1, 2].map((one): Factors => {
      return [left(one), one > index ? TURNED(index - one + 3) : right(index - one)]
    })
    return sum(to(index), added(index), ...factors)
  }),
]

/** A polynomial times v. Its highest coefficient times ξ, which becomes the lowest one, is at a separate address. */
const timesV =
  (polynomial: Polynomial, turned: Operand): Polynomial =>
  (index) =>
    index === 0 ? turned : polynomial(index - 1)

const noPolynomial: Polynomial = () => ZERO

/** The product of two elements (Karatsuba): (a + b w) (c + d w) is a c + v b d + ((a + b) (c + d) - a c - b d) w. */
const multiply = (): WasmCode => {
  const shifted = timesV(PRODUCT, HIGHEST)
  return [
    ...product(PRODUCT, noPolynomial, odd(1), odd(2)),
    ...call('timesXi', HIGHEST, PRODUCT(2)),
    ...product(even(0), shifted, even(1), even(2)),
    ...eachOfThree((index) => [
      ...call('add', LEFT(index), even(1)(index), odd(1)(index)),
      ...call('add', RIGHT(index), even(2)(index), odd(2)(index)),
      ...call('subtract', ADDED(index), shifted(index), PRODUCT(index)),
      ...call('subtract', ADDED(index), ADDED(index), even(0)(index)),
    ]),
    ...product(odd(0), ADDED, LEFT, RIGHT),
  ]
}

/** The square of an element: (a + b w)² is (a + b) (a + v b) - (1 + v) a b + 2 a b w. */
const square = (): WasmCode => {
  const shifted = timesV(PRODUCT, HIGHEST)
  return [
    ...product(PRODUCT, noPolynomial, even(1), odd(1)),
    ...call('timesXi', HIGHEST, PRODUCT(2)),
    // The product has left ξ times the highest coefficient of b.
    ...eachOfThree((index) => [
      ...call('add', LEFT(index), even(1)(index), odd(1)(index)),
      ...call('add', RIGHT(index), even(1)(index), timesV(odd(1), TURNED(2))(index)),
      ...call('subtract', ADDED(index), ZERO, PRODUCT(index)),
      ...call('subtract', ADDED(index), ADDED(index), shifted(index)),
    ]),
    ...product(even(0), ADDED, LEFT, RIGHT),
    ...eachOfThree((index) => [
      ...call('add', PRODUCT(index), PRODUCT(index), PRODUCT(index)),
      ...sum(odd(0)(index), PRODUCT(index)),
    ]),
  ]
}

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
 * c w², and its square is 3 a² - 2 ā + (3 s c² + 2 b̄) w + (3 b² - 2 c̄) w², where ā is a with -s. The square of one of
 * them, r + t s, is r² + ξ t² + 2 r t s, where r² + ξ t² = (r + t) (r + ξ t) - (1 + ξ) r t.
 */
const squareUnitary = (): WasmCode =>
  [[0, 0, 3] as const, [1, 2, 5] as const, [2, 4, 1] as const].flatMap(([real, squares, mixed]) => {
    const [one, other] = [at(1, real), at(1, real + 3)] as const
    const [left, right, added, twice] = [LEFT(0), RIGHT(0), ADDED(0), LINE(5)] as const
    const [both, turned] = [PRODUCT(0), TURNED(0)] as const
    const triple = (element: Operand): WasmCode =>
      join(call('add', twice, element, element), call('add', element, element, twice))
    return [
      ...call('add', left, one, other),
      ...triple(left),
      ...call('timesXi', right, other),
      ...call('add', right, right, one),
      ...sum(both, ZERO, [one, other]),
      ...triple(both),
      ...call('timesXi', turned, both),
      ...call('add', added, both, turned),
      ...call('add', added, added, at(1, squares)),
      ...call('add', added, added, at(1, squares)),
      ...call('subtract', added, ZERO, added),
      ...sum(at(0, squares), added, [left, right]),
      // The product counts with s; where that makes a power of w above five, it is ξ times a lower one.
      ...call('add', both, mixed < real ? turned : both, at(1, mixed)),
      ...call('add', both, both, both),
      ...sum(at(0, mixed), both),
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
