/**
 * Assembles a WebAssembly module that raises to powers modulo odd numbers of several sizes (Montgomery multiplication).
 * Numbers have limbs of 28 bits in words of 64, so that sums of their products need no carries. Results are below twice the
 * modulus; R is at least four times the modulus, so such numbers may be multiplied again.
 */

import { ALIGNED, I32, I64, OP, body, join, moduleOf, leb128, signedLeb128 } from './wasm-code.ts'
import type { WasmCode, WasmFunctionCode } from './wasm-code.ts'

/** Number of bits in a limb. */
export const LIMB_BITS = 28

/** Numbers of limbs for which the module has functions, ascending. */
export const MONTGOMERY_SIZES = [3, 5, 10, 19] as const

/** Length in bytes of a limb in memory, and of the longest number. */
export const LIMB_BYTES = 8
const NUMBER_BYTES = LIMB_BYTES * MONTGOMERY_SIZES[3]

/** Number of bits in a digit of the exponent (each digit costs one multiplication), and the highest digit. */
export const WINDOW = 4
export const MAX_DIGIT = 2 ** WINDOW - 1

/** Addresses: the modulus, its negative inverse modulo 2^28, the power, powers of the base, and the exponent. */
export const MONTGOMERY_MEMORY = {
  modulus: 0,
  inverse: NUMBER_BYTES,
  power: NUMBER_BYTES + LIMB_BYTES,
  powers: 2 * NUMBER_BYTES + LIMB_BYTES,
  exponent: (2 + 2 ** WINDOW) * NUMBER_BYTES + LIMB_BYTES,
} as const

const { modulus, inverse, power, powers } = MONTGOMERY_MEMORY

const get = (local: number): WasmCode => [OP.get, ...leb128(local)]
const set = (local: number): WasmCode => [OP.set, ...leb128(local)]
const address = (value: number): WasmCode => [I32.const, ...signedLeb128(BigInt(value))]
const long = (value: number): WasmCode => [I64.const, ...signedLeb128(BigInt(value))]
const load = (base: WasmCode, offset: number): WasmCode => [...base, I64.load, ALIGNED, ...leb128(offset)]
const indices = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

/** Locals with the limbs of both factors and of the quotient, and with the sum of a column. */
interface Locals {
  readonly left: number
  readonly right: number
  readonly quotient: number
  readonly sum: number
}

const product = (left: number, right: number): WasmCode => join(get(left), get(right), [I64.multiply])

/** The sum of the products of limbs that belong to a column. In a square, those of different limbs count twice. */
function columnOf(size: number, column: number, { left, right }: Locals): WasmCode {
  const pairs = indices(size)
    .map((limb) => [limb, column - limb] as const)
    .filter(([, other]) => other >= 0 && other < size)
  const sum = (terms: typeof pairs): WasmCode =>
    join(long(0), ...terms.map(([one, other]) => join(product(left + one, right + other), [I64.add])))
  if (left !== right) return sum(pairs)
  const twice = join(sum(pairs.filter(([one, other]) => one < other)), long(1), [I64.shiftLeft])
  return join(twice, sum(pairs.filter(([one, other]) => one === other)), [I64.add])
}

/** Multiplies and divides by R. Each limb of the result is written after the last use of the same limb of the factors. */
function multiplied(
  size: number,
  locals: Locals,
  output: (limb: number, value: WasmCode) => WasmCode,
): WasmCode {
  const { quotient, sum } = locals
  const low = (value: WasmCode): WasmCode => join(value, long(2 ** LIMB_BITS - 1), [I64.and])
  const multiple = (one: number, limb: number): WasmCode =>
    join(get(quotient + one), load(address(0), modulus + limb * LIMB_BYTES), [I64.multiply, I64.add])
  return join(
    ...indices(2 * size).map((column) => {
      const known = indices(size).filter((one) => one < column && column - one < size)
      return join(
        join(get(sum), columnOf(size, column, locals), [I64.add]),
        join(...known.map((one) => multiple(one, column - one)), set(sum)),
        column < size
          ? join(
              join(low(join(get(sum), load(address(0), inverse), [I64.multiply])), set(quotient + column)),
              join(get(sum), multiple(column, 0), set(sum)),
            )
          : output(column - size, low(get(sum))),
        join(get(sum), long(LIMB_BITS), [I64.shiftRight], set(sum)),
      )
    }),
  )
}

const loadLimbs = (size: number, parameter: number, first: number): WasmCode =>
  join(...indices(size).map((limb) => join(load(get(parameter), limb * LIMB_BYTES), set(first + limb))))

const storeLimb = (limb: number, value: WasmCode): WasmCode =>
  join(get(0), value, [I64.store, ALIGNED, ...leb128(limb * LIMB_BYTES)])

/** Takes the addresses of the result and of two numbers. */
function multiply(size: number): WasmCode {
  const [left, right, quotient] = [3, 3 + size, 3 + 2 * size] as const
  const code = multiplied(size, { left, right, quotient, sum: quotient + size }, storeLimb)
  return body(3 * size + 1, join(loadLimbs(size, 1, left), loadLimbs(size, 2, right), code))
}

/** Squares the number at an address once for each bit of a digit. */
function squareRepeatedly(size: number): WasmCode {
  const [count, left, quotient] = [1, 2, 2 + size] as const
  const sum = quotient + size
  const square = multiplied(size, { left, right: left, quotient, sum }, (limb, value) =>
    join(value, set(left + limb)),
  )
  const isMore = join(get(count), address(1), [I32.add, OP.tee, count], address(WINDOW), [I32.isUnequal])
  const code = join(
    join(loadLimbs(size, 0, left), [OP.loop, OP.void], square, isMore, [OP.branchIf, 0, OP.end]),
    ...indices(size).map((limb) => storeLimb(limb, get(left + limb))),
  )
  return body(2 * size + 1, code, 1)
}

/** Continues the power with the exponent's bytes between two addresses. `first` is the index of `multiply` of the same size. */
function raise(size: number, first: number): WasmCode {
  const digit = (shift: number): WasmCode =>
    join(
      join(address(power), [OP.call, first + 1], address(power), address(power)),
      join(get(0), [I32.load8, 0, 0], address(shift), [I32.shiftRight], address(MAX_DIGIT), [I32.and]),
      join(address(size * LIMB_BYTES), [I32.multiply], address(powers), [I32.add, OP.call, first]),
    )
  const isMore = join(get(0), address(1), [I32.add, OP.tee, 0], get(1), [I32.isUnequal])
  return body(0, join([OP.loop, OP.void], digit(WINDOW), digit(0), isMore, [OP.branchIf, 0, OP.end]))
}

/** The bytes of the module. */
export function montgomeryModule(): Uint8Array {
  const functions = MONTGOMERY_SIZES.flatMap((size, index): readonly WasmFunctionCode[] => [
    { name: `multiply${size}`, parameters: 3, body: multiply(size) },
    { name: `squareRepeatedly${size}`, parameters: 1, body: squareRepeatedly(size) },
    { name: `raise${size}`, parameters: 2, body: raise(size, 3 * index) },
  ])
  return moduleOf(functions)
}
