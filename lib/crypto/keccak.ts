/** Keccak-256 in WebAssembly (assembly/absorb.ts), where hashing in place allocates nothing; and Keccak-512. */

import { plainView } from '../base/hex.ts'
import { lazyPart } from '../base/lazy-part.ts'
import { KECCAK_CODE } from './keccak-code.ts'
import { compileWasm, startWasm, wasmMemory, type WasmFunction, type WasmMemory } from './wasm.ts'

/** A synchronous hash of bytes; every result is a new array. */
export type HashFunction = (data: Uint8Array) => Uint8Array

/** Keccak-256 of no bytes (Yellow Paper, KEC of the empty string). */
export const HASH_OF_NOTHING = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

const LENGTH = 32

/** Bytes that one permutation absorbs. */
const BLOCK = 136

/** Address of the message. Below it are the state, which begins with the hash, and constants. */
const MESSAGE = 512

/** Length in bytes of the buffer for whole blocks. One more block follows, for the end of the message. */
const BUFFER_BYTES = 400 * BLOCK

const compiled = compileWasm(Buffer.from(KECCAK_CODE, 'base64'))

/** Starts the module on a memory. It uses the addresses below 512. */
export const startKeccak = (memory: WasmMemory): Readonly<Record<'absorb' | 'countZeros', WasmFunction>> =>
  startWasm<'absorb' | 'countZeros'>(compiled, memory).exports

const own = wasmMemory(1)
const { absorb, countZeros } = startKeccak(own)
const memory = new Uint8Array(own.buffer)
const message = memory.subarray(MESSAGE, MESSAGE + BUFFER_BYTES + BLOCK)
const hash = memory.subarray(0, LENGTH)

/** Reads the words of the hash that `keccak256InPlace` returned last. */
export const lastHash: Pick<DataView, 'getInt32'> = new DataView(own.buffer, 0, LENGTH)

/** Keccak-256 of the bytes: 32 bytes, which the next hash overwrites. For tries, which copy the result. */
export function keccak256InPlace(data: Uint8Array): Uint8Array {
  let rest = data
  while (rest.length > BUFFER_BYTES) {
    message.set(rest.subarray(0, BUFFER_BYTES))
    absorb(MESSAGE, BUFFER_BYTES / BLOCK, rest === data ? 0 : 1)
    rest = rest.subarray(BUFFER_BYTES)
  }
  const { length } = rest
  message.set(rest)
  const blocks = Math.floor(length / BLOCK) + 1
  const end = blocks * BLOCK
  // The padding of Keccak-256, which differs from that of SHA3-256: a one bit, zeros, a one bit.
  message.fill(0, length, end)
  message[length] = 0x01
  message[end - 1] = (message[end - 1] ?? 0) | 0x80
  absorb(MESSAGE, blocks, rest === data ? 0 : 1)
  return hash
}

/** Number of zero bytes. A loop in JavaScript takes milliseconds for its first 20 KB. */
export function zerosIn(data: Uint8Array): number {
  let zeros = 0
  for (let start = 0; start < data.length; start += BUFFER_BYTES) {
    const part = data.subarray(start, start + BUFFER_BYTES)
    message.set(part)
    zeros += countZeros(MESSAGE, part.length)
  }
  return zeros
}

export const keccak256: HashFunction = (data) => keccak256InPlace(data).slice()

/** Keccak-512 of bytes: 64 bytes. Only ethash needs it, so it is loaded at its first use. */
export const loadKeccak512: () => Promise<HashFunction> = lazyPart('keccak-512', async () => {
  const { keccak512 } = await import('ethereum-cryptography/keccak.js')
  return (data) => keccak512(plainView(data))
})
