/**
 * Emits vector arithmetic of Fp2, the quadratic extension of a field of up to 381 bits (u² = -1), for fp12-module.ts. A
 * number has fourteen signed limbs of 28 bits, and one pair of lanes holds the same limb of real and imaginary part.
 * Montgomery form has R = 2^392. R exceeds the modulus so much that no comparison with the modulus is needed.
 */

import { inverseModuloBits } from './modular-inverse.ts'
import {
  VECTOR_BYTES,
  apply,
  assign,
  constant,
  get,
  lanes,
  load,
  loadLane,
  longLanes,
  shuffle,
  store,
} from './vector-code.ts'
import { I32, OP, V128, join, vectorBody } from './wasm-code.ts'
import type { WasmCode, WasmFunctionCode } from './wasm-code.ts'

/** Number of bits in a limb. */
export const LIMB_BITS = 28
/** Limbs of a number, and vectors of an element: each has two limbs of both parts. */
const LIMBS = 14
const VECTORS = LIMBS / 2

/** Length in bytes of an element, and of one limb of both parts. */
export const FP2_BYTES = VECTORS * VECTOR_BYTES
const PAIR_BYTES = VECTOR_BYTES / 2

/** Number of bits of the factor R of the Montgomery form. */
export const MONTGOMERY_BITS = BigInt(LIMBS * LIMB_BITS)

/**
 * Added to a column before its shift, so that the shift may be unsigned, as processors have it for 64 bits. The shift adds
 * CARRIED_BIAS to the next column. Both are multiples of 2^32, and results consist of the lowest 32 bits.
 */
const BIAS = 1n << 63n
const CARRIED_BIAS = BIAS >> BigInt(LIMB_BITS)

/** Fraction bits of the quotient by which a result is brought close to zero. */
const QUOTIENT_BITS = 26

const indices = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

/** Joins the code for each index. */
const each = (count: number, code: (index: number) => WasmCode): WasmCode => join(...indices(count).map(code))

/** The signed limbs of a number, least significant first. */
export function limbsOf(value: bigint): readonly number[] {
  let rest = value
  return indices(LIMBS).map((index) => {
    const limb = index === LIMBS - 1 ? rest : BigInt.asIntN(LIMB_BITS, rest)
    rest = (rest - limb) >> BigInt(LIMB_BITS)
    return Number(limb)
  })
}

/** The number with these limbs. */
export const numberOf = (limbs: readonly number[]): bigint =>
  limbs.reduceRight((value, limb) => (value << BigInt(LIMB_BITS)) + BigInt(limb), 0n)

/** Negates the lanes whose mask is -1. */
const negated = (vector: WasmCode, ...mask: readonly number[]): WasmCode =>
  apply(V128.subtract32, apply(V128.xor, vector, lanes(...mask)), lanes(...mask))

/** A vector times u: (a, b) becomes (-b, a). */
const timesU = (vector: WasmCode): WasmCode => negated(shuffle(vector, vector, [1, 0, 3, 2]), -1, 0, -1, 0)

/** A function of one or two elements that treats all vectors alike. */
function vectorwise(
  name: string,
  code: (left: WasmCode, right: WasmCode) => WasmCode,
  parameters = 2,
): WasmFunctionCode {
  const vectors = each(VECTORS, (vector) =>
    store(get(0), vector, code(load(get(1), vector), load(get(parameters - 1), vector))),
  )
  return { name, parameters, body: vectorBody(0, vectors) }
}

/** Functions whose results have limbs as large as the sum of their operands' limbs. Parameter 0 is the result's address. */
export const fp2Sums = (): readonly WasmFunctionCode[] => [
  vectorwise('add', (left, right) => apply(V128.add32, left, right), 3),
  vectorwise('subtract', (left, right) => apply(V128.subtract32, left, right), 3),
  vectorwise('timesXi', (operand) => apply(V128.add32, operand, timesU(operand))),
  vectorwise('conjugate', (operand) => negated(operand, 0, -1, 0, -1)),
]

/** The modulus, and the address of its limbs. */
export interface PlacedModulus {
  readonly value: bigint
  readonly at: number
}

/** The modulus, and the first of the locals that its limbs are kept in: loads from memory in a loop are slower. */
interface KeptModulus {
  readonly value: bigint
  readonly first: number
}

/** The limbs of the modulus as they are in memory: each twice, for both parts of an element. */
export const modulusLimbs = (modulus: bigint): readonly number[] =>
  limbsOf(modulus).flatMap((limb) => [limb, limb])

/** Indices of the locals of a sum of products. The right factors and their products with u are kept in locals. */
function localsOf(terms: number) {
  const row = 2 + 2 * terms
  const [sums, factor] = [row + 1, row + 1 + LIMBS]
  const right = (term: number): number => factor + 2 + 2 * VECTORS * term
  const turned = (term: number): number => right(term) + VECTORS
  return { row, sums, factor, other: factor + 1, right, turned, modulus: right(terms) }
}

/** Parameter with the address of a left factor; the address of the right factor follows. */
const leftOf = (term: number): number => 2 + 2 * term

const isEven = (limb: number): boolean => limb % 2 === 0

/** A limb, which fills a local, times the same limb of both parts of an element. */
const product = (factor: number, element: (vector: number) => WasmCode, limb: number): WasmCode =>
  apply(isEven(limb) ? V128.productLow : V128.productHigh, get(factor), element(limb >> 1))

/** Adds products to a column. */
const add = (column: number, ...values: readonly WasmCode[]): WasmCode =>
  assign(column, join(get(column), ...values.map((value) => apply(V128.add64, value))))

const modulusProduct = (factor: number, { first }: KeptModulus, limb: number): WasmCode =>
  product(factor, (vector) => get(first + vector), limb)

const shiftedRight = (value: WasmCode): WasmCode => apply(V128.shiftRight64, value, constant(LIMB_BITS))

/** Fills a local with the lower halves of the lanes of 64 bits. */
const fill = (local: number, value: WasmCode): WasmCode =>
  join(assign(local, value), assign(local, shuffle(get(local), get(local), [0, 2, 0, 2])))

/**
 * A function that adds products of elements, divides by R, and adds an element. Its parameters are the addresses of the
 * result, of the added element, and of the factors. The result is close to zero: its absolute value is below 0.6 times the
 * modulus, and its limbs are at most 2^27. Factors may be sums of such elements: if factors have n and m summands, the
 * products n m of all terms may add up to 17. Then no column exceeds 63 bits. A summand of a right factor may be such an
 * element times ξ = 1 + u, whose parts have the absolute values of together at most two parts. The added element may have 15
 * summands, times ξ counting as two. Without terms the function only brings this element close to zero.
 */
export function sumOfProducts(terms: number, placed: PlacedModulus): WasmFunctionCode {
  const { row, sums, factor, right, turned, modulus: first } = localsOf(terms)
  const modulus = { value: placed.value, first }
  const code = join(
    each(VECTORS, (vector) => assign(first + vector, load(constant(placed.at), vector))),
    each(terms * VECTORS, (index) => {
      const [term, vector] = [Math.floor(index / VECTORS), index % VECTORS]
      const kept = right(term) + vector
      return join(
        assign(kept, load(get(leftOf(term) + 1), vector)),
        assign(turned(term) + vector, timesU(get(kept))),
      )
    }),
    terms === 0 ? assign(sums, longLanes(CARRIED_BIAS)) : addRows(terms, modulus),
    each(LIMBS, (limb) =>
      add(sums + limb, apply(isEven(limb) ? V128.extendLow : V128.extendHigh, load(get(1), limb >> 1))),
    ),
    bringToZero(sums, factor, modulus),
    carry(sums, factor),
    each(VECTORS, (vector) => {
      const [low, high] = [get(sums + 2 * vector), get(sums + 2 * vector + 1)] as const
      return store(get(0), vector, shuffle(low, high, [0, 2, 4, 6]))
    }),
  )
  return { name: `sum${terms}`, parameters: row, body: vectorBody(first + VECTORS - sums, code, 1) }
}

/** Adds all products, divided by R: the products of a limb of each left factor, and a division by 2^28, for every limb. */
function addRows(terms: number, modulus: KeptModulus): WasmCode {
  const { row, sums, factor } = localsOf(terms)
  return join(
    each(LIMBS, (limb) => assign(sums + limb, longLanes(limb === 0 ? BIAS : BIAS - CARRIED_BIAS))),
    [OP.loop, OP.void],
    each(terms, (term) => addRow(terms, term)),
    divideByLimb(sums, factor, modulus),
    assign(row, join(get(row), constant(1), [I32.add])),
    join(get(row), constant(LIMBS), [I32.isUnequal, OP.branchIf, 0, OP.end]),
  )
}

/** Adds the product of the next limb of a left factor and the right factor to the columns. */
function addRow(terms: number, term: number): WasmCode {
  const { sums, factor, other, right, turned } = localsOf(terms)
  const left = leftOf(term)
  return join(
    assign(factor, loadLane(get(left), 0)),
    assign(other, loadLane(get(left), 1)),
    each(LIMBS, (limb) =>
      add(
        sums + limb,
        product(factor, (vector) => get(right(term) + vector), limb),
        product(other, (vector) => get(turned(term) + vector), limb),
      ),
    ),
    assign(left, join(get(left), constant(PAIR_BYTES), [I32.add])),
  )
}

/** Adds the multiple of the modulus that makes the lowest column divisible by 2^28, and divides by it (Montgomery). */
function divideByLimb(sums: number, quotient: number, modulus: KeptModulus): WasmCode {
  const multiple = apply(V128.multiply32, get(sums), longLanes(-inverseModuloBits(modulus.value, LIMB_BITS)))
  return join(
    fill(quotient, apply(V128.and, multiple, longLanes((1n << BigInt(LIMB_BITS)) - 1n))),
    add(sums, modulusProduct(quotient, modulus, 0)),
    add(sums + 1, shiftedRight(get(sums))),
    each(LIMBS - 1, (limb) => {
      const above = sums + limb + 1
      return assign(sums + limb, apply(V128.add64, get(above), modulusProduct(quotient, modulus, limb + 1)))
    }),
    assign(sums + LIMBS - 1, longLanes(0n)),
  )
}

/** Subtracts a multiple of the modulus. The factor is the rounded quotient of the highest limbs. */
function bringToZero(sums: number, quotient: number, modulus: KeptModulus): WasmCode {
  const top = Number(modulus.value >> BigInt((LIMBS - 1) * LIMB_BITS))
  const inverse = Math.round(2 ** QUOTIENT_BITS / (top + 0.5))
  const carried = shiftedRight(apply(V128.add64, get(sums + LIMBS - 2), longLanes(BIAS)))
  const scaled = apply(
    V128.multiply32,
    apply(V128.add64, carried, get(sums + LIMBS - 1)),
    longLanes(BigInt(-inverse)),
  )
  const rounded = apply(V128.add32, scaled, longLanes(1n << BigInt(QUOTIENT_BITS - 1)))
  return join(
    fill(quotient, apply(V128.shiftRight32, rounded, constant(QUOTIENT_BITS))),
    each(LIMBS, (limb) => add(sums + limb, modulusProduct(quotient, modulus, limb))),
  )
}

/** Carries from each column to the next and leaves limbs of at most 2^27. The lowest column also contains a carried bias. */
function carry(sums: number, carried: number): WasmCode {
  const rounding = (1n << BigInt(LIMB_BITS - 1)) + BIAS - CARRIED_BIAS
  return each(LIMBS - 1, (limb) => {
    const column = sums + limb
    const removed = apply(V128.shiftLeft64, get(carried), constant(LIMB_BITS))
    return join(
      assign(carried, shiftedRight(apply(V128.add64, get(column), longLanes(rounding)))),
      add(column + 1, get(carried)),
      assign(column, apply(V128.subtract64, get(column), removed)),
    )
  })
}
