/** SHA-256 of whole messages, and with a state between blocks. */

import { hash } from 'node:crypto'
import { _SHA256 } from '@noble/hashes/sha2.js'
import { invariant } from '../base/invariant.ts'

const LENGTH = 32

/**
 * SHA-256 of the bytes: 32 bytes. Node's function `hash` is twice as fast as a Hash object. It is twice as fast again if it
 * returns a string with one character per byte, because a Buffer is allocated outside of V8's heap.
 */
export function sha256(data: Uint8Array): Uint8Array {
  const text = hash('sha256', data, 'binary')
  const bytes = new Uint8Array(LENGTH)
  for (let index = 0; index < LENGTH; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}

export const doubleSha256 = (data: Uint8Array): Uint8Array => sha256(sha256(data))

export const siblingsHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  doubleSha256(Buffer.concat([left, right]))

/** Length of a block in bytes (FIPS 180-4, 5.2.1). */
export const SHA256_BLOCK = 64

/** Length in bytes of a state and of a hash: eight big-endian words. */
export const SHA256_STATE = 32

/** The state of an unfinished hash, which node:crypto does not expose. */
export interface Midstate {
  /** Bytes absorbed so far, a multiple of 64. */
  readonly count: number
  /** 32 bytes. */
  readonly state: Uint8Array
}

/** The hash of the library, with access to its state. */
class Sha256 extends _SHA256 {
  midstate(): Midstate {
    invariant(this.pos === 0, `${this.length} bytes are no whole blocks`)
    const state = new DataView(new ArrayBuffer(SHA256_STATE))
    for (const [index, word] of this.get().entries()) state.setInt32(4 * index, word)
    return { count: this.length, state: new Uint8Array(state.buffer) }
  }

  continueFrom({ count, state }: Midstate): this {
    invariant(state.length === SHA256_STATE, `a state has ${SHA256_STATE} bytes, not ${state.length}`)
    const view = new DataView(state.buffer, state.byteOffset, state.length)
    const word = (index: number): number => view.getInt32(4 * index)
    this.set(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7))
    this.length = count
    return this
  }
}

/** The state after whole blocks of 64 bytes. */
export const midstateOf = (bytes: Uint8Array): Midstate => new Sha256().update(bytes).midstate()

export const finishSha256 = (begun: Midstate, tail: Uint8Array): Uint8Array =>
  new Sha256().continueFrom(begun).update(tail).digest()
