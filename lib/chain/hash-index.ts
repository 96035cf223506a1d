/** Finds blocks by a hash. To save memory it stores four bytes of each hash; the whole hashes are in the blocks. */

import type { Hash } from '../base/hex.ts'
import { ChainEntry } from './chain-entry.ts'

/** Blocks by their hash, or by those of their transactions. */
export class HashIndex {
  readonly #hashesOf: (entry: ChainEntry) => readonly Hash[]
  /** By the first four bytes of the hash; a list if several blocks have a hash with these bytes. */
  readonly #entries = new Map<number, ChainEntry | readonly ChainEntry[]>()

  /** `hashesOf` are the hashes by which a block is found. */
  constructor(hashesOf: (entry: ChainEntry) => readonly Hash[]) {
    this.#hashesOf = hashesOf
  }

  /** The block with a hash; the last one added, if several contain the same transaction. */
  find(hash: Hash): ChainEntry | undefined {
    return this.#at(keyOf(hash)).findLast((entry) => this.#hashesOf(entry).includes(hash))
  }

  add(entry: ChainEntry): void {
    for (const hash of this.#hashesOf(entry)) {
      const key = keyOf(hash)
      const others = this.#at(key)
      this.#entries.set(key, others.length === 0 ? entry : [...others, entry])
    }
  }

  remove(entry: ChainEntry): void {
    for (const hash of this.#hashesOf(entry)) {
      const key = keyOf(hash)
      const [only, ...others] = this.#at(key).filter((other) => other !== entry)
      if (only === undefined) this.#entries.delete(key)
      else this.#entries.set(key, others.length === 0 ? only : [only, ...others])
    }
  }

  #at(key: number): readonly ChainEntry[] {
    const found = this.#entries.get(key)
    if (found === undefined) return []
    return found instanceof ChainEntry ? [found] : found
  }
}

/** The first four bytes as a signed number, which V8 keeps without an object. */
const keyOf = (hash: Hash): number => parseInt(hash.slice(2, 10), 16) | 0
