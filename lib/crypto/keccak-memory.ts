/** Keccak-256 in WebAssembly. Hashing allocates nothing: the result stays in the module's memory until the next hash. */

import { present } from '../base/invariant.ts'
import { KECCAK_BLOCK, KECCAK_MEMORY, keccakModule, roundConstants } from './keccak-module.ts'
import { compileWasm, startWasm, wasmMemory } from './wasm.ts'
import type { WasmFunction, WasmMemory } from './wasm.ts'

/** Length of a hash in bytes. */
const LENGTH = 32

/** Length in bytes of the buffer for whole blocks of a message. One more block follows, for the end of the message. */
const BUFFER_BYTES = 400 * KECCAK_BLOCK

/** Hashes bytes; the next hash overwrites the result. */
export type HashInPlace = (data: Uint8Array) => Uint8Array

let compiled: object | undefined

/** Starts the WebAssembly module on a memory, of which it uses the addresses in KECCAK_MEMORY; returns its function. */
export function startKeccak(memory: WasmMemory): WasmFunction {
  compiled ??= compileWasm(keccakModule())
  const { exports, bytes } = startWasm(compiled, memory)
  bytes().set(new Uint8Array(roundConstants().buffer), KECCAK_MEMORY.constants)
  return present(exports['absorb'], 'absorb')
}

/** Hashes with the WebAssembly module. */
export function keccakInWasm(): HashInPlace {
  const own = wasmMemory(1)
  const absorb = startKeccak(own)
  const memory = new Uint8Array(own.buffer)
  const { message: start } = KECCAK_MEMORY
  const message = memory.subarray(start, start + BUFFER_BYTES + KECCAK_BLOCK)
  const hash = memory.subarray(KECCAK_MEMORY.state, KECCAK_MEMORY.state + LENGTH)
  return (data) => {
    let rest = data
    while (rest.length > BUFFER_BYTES) {
      message.set(rest.subarray(0, BUFFER_BYTES))
      absorb(start, BUFFER_BYTES / KECCAK_BLOCK, rest === data ? 0 : 1)
      rest = rest.subarray(BUFFER_BYTES)
    }
    const { length } = rest
    message.set(rest)
    const blocks = Math.floor(length / KECCAK_BLOCK) + 1
    const end = blocks * KECCAK_BLOCK
    // The padding of Keccak-256, which differs from that of SHA3-256: a one bit, zeros, a one bit.
    message.fill(0, length, end)
    message[length] = 0x01
    message[end - 1] = (message[end - 1] ?? 0) | 0x80
    absorb(start, blocks, rest === data ? 0 : 1)
    return hash
  }
}
