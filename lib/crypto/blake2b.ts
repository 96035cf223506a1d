/** The compression function of BLAKE2b (RFC 7693, section 3.2). The rounds run in WebAssembly (assembly/blake2b.ts). */

import { BLAKE2B_CODE } from './blake2b-code.ts'
import { compileWasm, startWasm, wasmMemory, type WasmInstance } from './wasm.ts'

const WORD = 8

/** Length of the working vector in bytes; the message follows it in the module's memory. */
const WORK_BYTES = 16 * WORD

/** One block to mix into a state. Words are little-endian. */
export interface Compression {
  /** Number of rounds: 12 for BLAKE2b. */
  readonly rounds: number
  /** 64 bytes. */
  readonly state: Uint8Array
  /** 128 bytes. */
  readonly message: Uint8Array
  /** Bytes hashed so far: 16 bytes. */
  readonly offset: Uint8Array
  readonly isLast: boolean
}

/** Words of the initial state: the fractions of the square roots of the first eight primes (RFC 7693, 2.6). */
const INITIAL = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]

/** Rounds per call of the module, a multiple of ten. V8 replaces its first, slow code only between calls. */
const MAX_ROUNDS = 10_000

let module: WasmInstance<'rounds'> | undefined

export function compress({ rounds, state, message, offset, isLast }: Compression): Uint8Array {
  module ??= startWasm(compileWasm(Buffer.from(BLAKE2B_CODE, 'base64')), wasmMemory(1))
  const memory = module.bytes()
  const work = memory.subarray(0, WORK_BYTES)
  work.set(state)
  const words = new DataView(memory.buffer)
  for (const [index, word] of INITIAL.entries()) words.setBigUint64((8 + index) * WORD, word, true)
  xorInto(work, 12 * WORD, offset)
  if (isLast) xorInto(work, 14 * WORD, new Uint8Array(WORD).fill(0xff))
  memory.set(message, WORK_BYTES)
  for (let left = rounds; left > 0; left -= MAX_ROUNDS) module.exports.rounds(Math.min(left, MAX_ROUNDS))
  const next = state.slice()
  xorInto(next, 0, work.subarray(0, 8 * WORD))
  xorInto(next, 0, work.subarray(8 * WORD))
  return next
}

function xorInto(target: Uint8Array, start: number, bytes: Uint8Array): void {
  for (const [index, byte] of bytes.entries()) {
    target[start + index] = (target[start + index] ?? 0) ^ byte
  }
}
