/** The reference of a trie node in its parent (Yellow Paper, appendix D): its hash, or its encoding if that is shorter. */

import { EMPTY_BYTES } from '../base/hex.ts'
import { RLP_STRING } from '../base/rlp.ts'
import { keccak256, keccak256InPlace } from '../crypto/keccak.ts'

/** Length of a hash in bytes. */
const HASH_LENGTH = 32

/**
 * A node with its cached reference. The hash is stored as eight words in the node itself: an array would take four times the
 * memory, and a string four times as long to write. Encoding a branch reads sixteen hashes from nodes that are far apart in
 * memory.
 */
export class Referable {
  /** Length in bytes of the reference as an item of a list; 0 until it is computed. */
  referenceSize = 0
  /** The encoding, if that is the reference. */
  #encoding = EMPTY_BYTES
  #word0 = 0
  #word1 = 0
  #word2 = 0
  #word3 = 0
  #word4 = 0
  #word5 = 0
  #word6 = 0
  #word7 = 0

  /** Whether the reference is a hash, so that the node is a separate item of a proof. */
  get isHashed(): boolean {
    return this.referenceSize > HASH_LENGTH
  }

  /** Computes the reference from the node's encoding. */
  setReference(encoded: Uint8Array): void {
    if (encoded.length < HASH_LENGTH) {
      this.#encoding = encoded.slice()
      this.referenceSize = encoded.length
      return
    }
    const hash = keccak256InPlace(encoded)
    this.#word0 = wordOf(hash, 0)
    this.#word1 = wordOf(hash, 4)
    this.#word2 = wordOf(hash, 8)
    this.#word3 = wordOf(hash, 12)
    this.#word4 = wordOf(hash, 16)
    this.#word5 = wordOf(hash, 20)
    this.#word6 = wordOf(hash, 24)
    this.#word7 = wordOf(hash, 28)
    this.referenceSize = 1 + HASH_LENGTH
  }

  /** Writes the reference at an offset of the output, and returns the offset after it. */
  writeReference(output: DataView, offset: number): number {
    if (!this.isHashed) {
      for (const [index, byte] of this.#encoding.entries()) output.setUint8(offset + index, byte)
      return offset + this.#encoding.length
    }
    output.setUint8(offset, RLP_STRING + HASH_LENGTH)
    this.#writeHash(output, offset + 1)
    return offset + 1 + HASH_LENGTH
  }

  /** Hash of the node's encoding of any length. */
  hash(): Uint8Array {
    if (!this.isHashed) return keccak256(this.#encoding)
    const hash = new Uint8Array(HASH_LENGTH)
    this.#writeHash(new DataView(hash.buffer), 0)
    return hash
  }

  #writeHash(output: DataView, offset: number): void {
    output.setInt32(offset, this.#word0)
    output.setInt32(offset + 4, this.#word1)
    output.setInt32(offset + 8, this.#word2)
    output.setInt32(offset + 12, this.#word3)
    output.setInt32(offset + 16, this.#word4)
    output.setInt32(offset + 20, this.#word5)
    output.setInt32(offset + 24, this.#word6)
    output.setInt32(offset + 28, this.#word7)
  }
}

const wordOf = (bytes: Uint8Array, index: number): number =>
  ((bytes[index] ?? 0) << 24) |
  ((bytes[index + 1] ?? 0) << 16) |
  ((bytes[index + 2] ?? 0) << 8) |
  (bytes[index + 3] ?? 0)
