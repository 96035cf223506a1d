/**
 * SHA-256 that can stop and continue between blocks of 64 bytes. A compressed coinbase transaction begins with such a
 * midstate (node-chain 6.7), and node:crypto does not expose its state. sha256.ts hashes whole messages.
 */

import { _SHA256 } from '@noble/hashes/sha2.js'
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

/** SHA-256 of the absorbed bytes and the tail. */
export const finishSha256 = (begun: Midstate, tail: Uint8Array): Uint8Array =>
  new Sha256().continueFrom(begun).update(tail).digest()
