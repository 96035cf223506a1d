/**
 * Assembles a WebAssembly module with the permutation of Keccak (FIPS 202, chapter 3). The 25 lanes are locals from the
 * first block of a message to the last. The module reads memory only for the message and writes only the result.
 */

import { ALIGNED, I32, I64, OP, body, moduleOf, leb128, signedLeb128 } from './wasm-code.ts'
import type { WasmCode } from './wasm-code.ts'

/** Length in bytes of a block, the part of a message that is absorbed before each permutation: 1088 bits for a hash of 256. */
export const KECCAK_BLOCK = 136

/** Length of a lane in bytes. */
const LANE = 8

/** Offsets in memory: the state of 25 lanes, the round constants, the message. */
export const KECCAK_MEMORY = { state: 0, constants: 256, message: 512 } as const

const ROUNDS = 24
const LANES = Array.from({ length: 25 }, (_, index) => index)
const FIVE = [0, 1, 2, 3, 4] as const

/**
 * Parameters of the function: address of the next block, number of remaining blocks, and whether the message was begun by an
 * earlier call.
 */
const PLACE = 0
const BLOCKS = 1
const IS_CONTINUED = 2
/** Locals: address of the round constant, the lanes, the parities of their columns, two temporaries. */
const CONSTANT = 3
const lane = (index: number): number => 4 + index
const column = (x: number): number => lane(25) + (x % 5)
const MOVED = column(4) + 1
const KEPT = MOVED + 1

/** The lane at x and y, both modulo 5. */
const at = (x: number, y: number): number => lane((x % 5) + 5 * y)

const load = (base: WasmCode, offset: number): WasmCode => [...base, I64.load, ALIGNED, ...leb128(offset)]
const i32 = (value: number): WasmCode => [I32.const, ...signedLeb128(BigInt(value))]
const rotateLeft = (bits: number): WasmCode => [I64.const, ...signedLeb128(BigInt(bits)), I64.rotateLeft]

/** XORs every lane with the parities of two columns (3.2.1). */
const theta = (): WasmCode => [
  ...FIVE.flatMap((x) => [
    OP.get,
    at(x, 0),
    ...[1, 2, 3, 4].flatMap((y) => [OP.get, at(x, y), I64.xor]),
    OP.set,
    column(x),
  ]),
  ...FIVE.flatMap((x) => [
    OP.get,
    column(x + 4),
    OP.get,
    column(x + 1),
    ...rotateLeft(1),
    I64.xor,
    OP.set,
    MOVED,
    ...FIVE.flatMap((y) => [OP.get, at(x, y), OP.get, MOVED, I64.xor, OP.set, at(x, y)]),
  ]),
]

/** Rotates every lane but the first and moves it to the position of the next lane (3.2.2 and 3.2.3). */
function rhoAndPi(): WasmCode {
  const code: number[] = [OP.get, at(1, 0), OP.set, MOVED]
  let [x, y] = [1, 0]
  for (let step = 0; step < LANES.length - 1; step++) {
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
    const bits = (((step + 1) * (step + 2)) / 2) % 64
    code.push(OP.get, at(x, y), OP.set, KEPT)
    code.push(OP.get, MOVED, ...rotateLeft(bits), OP.set, at(x, y), OP.get, KEPT, OP.set, MOVED)
  }
  return code
}

/** XORs each lane with a combination of the next two lanes in its row (3.2.4). */
const chi = (): WasmCode =>
  FIVE.flatMap((y) => {
    const mix = (x: number, next: number, afterNext: number): WasmCode => [
      OP.get,
      at(x, y),
      OP.get,
      next,
      I64.const,
      ...signedLeb128(-1n),
      I64.xor,
      OP.get,
      afterNext,
      I64.and,
      I64.xor,
      OP.set,
      at(x, y),
    ]
    return [
      OP.get,
      at(0, y),
      OP.set,
      MOVED,
      OP.get,
      at(1, y),
      OP.set,
      KEPT,
      ...[0, 1, 2].flatMap((x) => mix(x, at(x + 1, y), at(x + 2, y))),
      ...mix(3, at(4, y), MOVED),
      ...mix(4, MOVED, KEPT),
    ]
  })

/** XORs the first lane with the round constant (3.2.5). */
const iota = (): WasmCode => [OP.get, at(0, 0), ...load([OP.get, CONSTANT], 0), I64.xor, OP.set, at(0, 0)]

/** Runs the code in a loop while the value that it leaves on the stack is not zero. */
const loopWhileNonzero = (code: WasmCode): WasmCode => [OP.loop, OP.void, ...code, OP.branchIf, 0, OP.end]

const permutation = (): WasmCode => [
  ...i32(KECCAK_MEMORY.constants),
  OP.set,
  CONSTANT,
  ...loopWhileNonzero([
    ...theta(),
    ...rhoAndPi(),
    ...chi(),
    ...iota(),
    OP.get,
    CONSTANT,
    ...i32(LANE),
    I32.add,
    OP.tee,
    CONSTANT,
    ...i32(KECCAK_MEMORY.constants + ROUNDS * LANE),
    I32.isUnequal,
  ]),
]

const absorb = (): WasmCode => [
  // All locals are zero at the start, as is the initial state.
  OP.get,
  IS_CONTINUED,
  OP.if,
  OP.void,
  ...LANES.flatMap((index) => [...load(i32(KECCAK_MEMORY.state), index * LANE), OP.set, lane(index)]),
  OP.end,
  ...loopWhileNonzero([
    ...LANES.slice(0, KECCAK_BLOCK / LANE).flatMap((index) => [
      OP.get,
      lane(index),
      ...load([OP.get, PLACE], index * LANE),
      I64.xor,
      OP.set,
      lane(index),
    ]),
    ...permutation(),
    OP.get,
    PLACE,
    ...i32(KECCAK_BLOCK),
    I32.add,
    OP.set,
    PLACE,
    OP.get,
    BLOCKS,
    ...i32(1),
    I32.subtract,
    OP.tee,
    BLOCKS,
  ]),
  ...LANES.flatMap((index) => [
    ...i32(KECCAK_MEMORY.state),
    OP.get,
    lane(index),
    I64.store,
    ALIGNED,
    ...leb128(index * LANE),
  ]),
]

/** The bytes of the module. Its function `absorb` has the parameters above and absorbs at least one block. */
export const keccakModule = (): Uint8Array =>
  moduleOf([{ name: 'absorb', parameters: 3, body: body(KEPT - CONSTANT, absorb(), 1) }])

/** The polynomial of the shift register: x^8 + x^6 + x^5 + x^4 + 1. */
const LFSR_POLYNOMIAL = 0x171

/** The round constants as the module's memory must hold them: bits of a shift register (3.2.5, algorithm 5). */
export function roundConstants(): BigUint64Array {
  const constants = new BigUint64Array(ROUNDS)
  let register = 1
  for (let round = 0; round < ROUNDS; round++) {
    for (let power = 0; power <= 6; power++) {
      const bit = BigInt(register & 1) << BigInt(2 ** power - 1)
      constants[round] = (constants[round] ?? 0n) | bit
      register = (register << 1) ^ ((register >> 7) * LFSR_POLYNOMIAL)
    }
  }
  return constants
}
