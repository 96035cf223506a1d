/** Keccak-256: the WASM implementation where it runs, JavaScript elsewhere. Curve operations are in select.ts. */

import { keccak256 as javascriptKeccak256 } from 'ethereum-cryptography/keccak.js'
import { createKeccak } from 'hash-wasm'
import { InvariantError } from '../base/invariant.ts'
import { toHex } from '../base/hex.ts'

/** A synchronous hash of bytes; every result is a new array. */
export type HashFunction = (data: Uint8Array) => Uint8Array

/** A hash and where it comes from. */
export interface KeccakImplementation {
  readonly name: string
  readonly keccak256: HashFunction
  /** Why a faster implementation does not run; absent if the fastest does. */
  readonly skipped?: string
}

/** Keccak-256 of no bytes (Yellow Paper, KEC of the empty string). */
const HASH_OF_NOTHING = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** The WASM hash if it loads and answers the known vector, else the JavaScript one. */
export async function selectKeccak(load: () => Promise<HashFunction>): Promise<KeccakImplementation> {
  try {
    const keccak256 = await load()
    requireKnownHash(keccak256)
    return { name: 'hash-wasm', keccak256 }
  } catch (error) {
    requireKnownHash(javascriptKeccak256)
    return { name: 'ethereum-cryptography', keccak256: javascriptKeccak256, skipped: String(error) }
  }
}

/** Instantiates the WASM hash. */
export async function loadWasmKeccak(): Promise<HashFunction> {
  const hasher = await createKeccak(256)
  return (data) => hasher.init().update(data).digest('binary')
}

function requireKnownHash(keccak256: HashFunction): void {
  const hash = toHex(keccak256(new Uint8Array(0)))
  if (hash !== HASH_OF_NOTHING) throw new InvariantError(`keccak256 of no bytes is ${hash}`)
}

const selected = await selectKeccak(loadWasmKeccak)

/** Name of the implementation that runs. */
export const keccakImplementation: string = selected.name

/** Why the WASM implementation does not run; absent if it does. */
export const keccakFallbackReason: string | undefined = selected.skipped

/** Keccak-256 of the bytes: 32 bytes. */
export const keccak256: HashFunction = selected.keccak256
