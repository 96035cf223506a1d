/** Keccak-256: in WebAssembly where that runs, in JavaScript elsewhere. */

import { keccak256 as keccakInJavascript } from 'ethereum-cryptography/keccak.js'
import { toHex } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'
import { chooseFirst, type Candidate, type Choice, type SkippedCandidate } from './candidates.ts'
import { withinLimit } from './crypto-limit.ts'
import { keccakInWasm } from './keccak-memory.ts'
import type { HashInPlace } from './keccak-memory.ts'

/** A synchronous hash of bytes; every result is a new array. */
export type HashFunction = (data: Uint8Array) => Uint8Array

/** Keccak-256 of no bytes (Yellow Paper, KEC of the empty string). */
export const HASH_OF_NOTHING = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** Chooses the first implementation that loads and hashes the empty input correctly. */
export function selectKeccak(candidates: readonly Candidate<HashInPlace>[]): Choice<HashInPlace> {
  return chooseFirst(candidates, requireKnownHash)
}

/** Implementations, fastest first: 0.4 and 8 microseconds for 32 bytes, 50 and 1,130 for 20,000. */
export const keccakCandidates = [
  { name: 'WebAssembly', kind: 'wasm', load: keccakInWasm },
  { name: 'ethereum-cryptography', kind: 'javascript', load: (): HashInPlace => hashInJavascript },
] as const

/** The library refuses subclasses and arrays of another realm; a plain view passes. */
const hashInJavascript: HashInPlace = (data) =>
  keccakInJavascript(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))

function requireKnownHash(hash: HashInPlace): void {
  const computed = toHex(hash(new Uint8Array(0)))
  if (computed !== HASH_OF_NOTHING) throw new InvariantError(`keccak256 of no bytes is ${computed}`)
}

const choice = selectKeccak(withinLimit(keccakCandidates))

/** Keccak-256 of the bytes: 32 bytes, which the next hash overwrites. For tries, which copy the result. */
export const keccak256InPlace: HashInPlace = choice.implementation

/** Keccak-256 of the bytes: 32 bytes. */
export const keccak256: HashFunction = (data) => keccak256InPlace(data).slice()

/** Name of the chosen implementation. */
export const keccakImplementation: string = choice.name

/** Faster implementations that do not run here. */
export const skippedKeccaks: readonly SkippedCandidate[] = choice.skipped
