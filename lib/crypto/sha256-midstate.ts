/**
 * SHA-256 that can stop and continue between blocks of 64 bytes. A compressed coinbase transaction begins with such a
 * midstate (node-chain 6.7), and node:crypto does not expose its state. sha256.ts hashes whole messages.
 */

import { invariant } from '../base/invariant.ts'

/** Length of a block in bytes (FIPS 180-4, 5.2.1). */
export const SHA256_BLOCK = 64

/** Length in bytes of a state and of a hash: eight big-endian words. */
export const SHA256_STATE = 32

/** The state of an unfinished hash. */
export interface Midstate {
  /** Bytes absorbed so far, a multiple of 64. */
  readonly count: number
  /** 32 bytes. */
  readonly state: Uint8Array
}

/** First 32 bits of the fractional part of a root; a double has 53 bits, which is enough. */
const fractionOf = (root: number): number => Math.floor((root % 1) * 2 ** 32)

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  }
  return primes
}

const PRIMES = firstPrimes(64)

/** Round constants: cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const ROUNDS = Int32Array.from(PRIMES, (prime) => fractionOf(Math.cbrt(prime)))

/** Initial state: square roots of the first eight primes (FIPS 180-4, 5.3.3). */
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)))

/** The state after whole blocks of 64 bytes. */
export function midstateOf(bytes: Uint8Array): Midstate {
  const words = Int32Array.from(INITIAL)
  absorb(words, bytes)
  return { count: bytes.length, state: toBytes(words) }
}

/** SHA-256 of the absorbed bytes and the tail. */
export function finishSha256({ count, state }: Midstate, tail: Uint8Array): Uint8Array {
  const words = toWords(state)
  absorb(words, padded(tail, count + tail.length))
  return toBytes(words)
}

/** The tail as whole blocks: a one bit, zeros, and the length of the message in bits (FIPS 180-4, 5.1.1). */
function padded(tail: Uint8Array, messageLength: number): Uint8Array {
  const blocks = Math.ceil((tail.length + 9) / SHA256_BLOCK)
  const bytes = new Uint8Array(blocks * SHA256_BLOCK)
  bytes.set(tail)
  bytes[tail.length] = 0x80
  new DataView(bytes.buffer).setBigUint64(bytes.length - 8, BigInt(messageLength) * 8n)
  return bytes
}

const schedule = new Int32Array(64)

function absorb(words: Int32Array, bytes: Uint8Array): void {
  invariant(bytes.length % SHA256_BLOCK === 0, `${bytes.length} bytes are no whole blocks`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let offset = 0; offset < bytes.length; offset += SHA256_BLOCK) {
    for (let index = 0; index < 16; index++) schedule[index] = view.getInt32(offset + 4 * index)
    for (let index = 16; index < 64; index++) schedule[index] = scheduled(index)
    compress(words)
  }
}

const word = (words: Int32Array, index: number): number => words[index] ?? 0

const rotate = (value: number, bits: number): number => (value >>> bits) | (value << (32 - bits))

function scheduled(index: number): number {
  const early = word(schedule, index - 15)
  const late = word(schedule, index - 2)
  const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
  const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
  return (word(schedule, index - 16) + mixedEarly + word(schedule, index - 7) + mixedLate) | 0
}

/** Mixes the scheduled block into the state (FIPS 180-4, 6.2.2); the letters are those of the standard. */
function compress(words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = words
  for (let round = 0; round < 64; round++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + word(ROUNDS, round) + word(schedule, round)) | 0
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (let index = 0; index < 8; index++) words[index] = (word(words, index) + (mixed[index] ?? 0)) | 0
}

function toBytes(words: Int32Array): Uint8Array {
  const bytes = new Uint8Array(SHA256_STATE)
  const view = new DataView(bytes.buffer)
  words.forEach((value, index) => view.setInt32(4 * index, value))
  return bytes
}

function toWords(state: Uint8Array): Int32Array {
  invariant(state.length === SHA256_STATE, `a state has ${SHA256_STATE} bytes, not ${state.length}`)
  const view = new DataView(state.buffer, state.byteOffset, state.length)
  return Int32Array.from({ length: 8 }, (_, index) => view.getInt32(4 * index))
}
