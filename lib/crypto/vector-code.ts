/** Emits WebAssembly expressions of vectors of 128 bits. */

import { I32, OP, V128, join, leb128, signedLeb128 } from './wasm-code.ts'
import type { WasmCode } from './wasm-code.ts'

/** Length of a vector in bytes. */
export const VECTOR_BYTES = 16

/** Alignment of a vector and of a lane of 32 bits in memory, as exponents of two. */
const [VECTOR_ALIGNMENT, LANE_ALIGNMENT] = [4, 2] as const

/** The value of a local. */
export const get = (local: number): WasmCode => [OP.get, ...leb128(local)]

/** Sets a local. */
export const assign = (local: number, value: WasmCode): WasmCode => join(value, [OP.set, ...leb128(local)])

/** The result of an operation. */
export const apply = (operation: WasmCode, ...operands: readonly WasmCode[]): WasmCode =>
  join(...operands, operation)

/** A constant integer of 32 bits. */
export const constant = (value: number): WasmCode => [I32.const, ...signedLeb128(BigInt(value))]

/** A constant vector of four lanes of 32 bits. */
export const lanes = (...values: readonly number[]): WasmCode =>
  join(V128.const, Array.from(new Uint8Array(Int32Array.from(values).buffer)))

/** A constant vector of two equal lanes of 64 bits. */
export function longLanes(value: bigint): WasmCode {
  const lane = BigInt.asIntN(64, value)
  return join(V128.const, Array.from(new Uint8Array(BigInt64Array.of(lane, lane).buffer)))
}

/** A vector of the lanes of 32 bits that have these indices in two vectors. */
export const shuffle = (left: WasmCode, right: WasmCode, indices: readonly number[]): WasmCode => {
  return join(
    left,
    right,
    V128.shuffle,
    ...indices.map((index) => [0, 1, 2, 3].map((byte) => 4 * index + byte)),
  )
}

/** A vector in memory. */
export const load = (address: WasmCode, vector: number): WasmCode =>
  join(address, V128.load, [VECTOR_ALIGNMENT, ...leb128(vector * VECTOR_BYTES)])

/** A vector of equal lanes, read from one address. */
export const loadLane = (address: WasmCode, lane: number): WasmCode =>
  join(address, V128.splat32, [LANE_ALIGNMENT, ...leb128(4 * lane)])

/** Writes a vector. */
export const store = (address: WasmCode, vector: number, value: WasmCode): WasmCode =>
  join(address, value, V128.store, [VECTOR_ALIGNMENT, ...leb128(vector * VECTOR_BYTES)])
