/** Storage of one account as execution sees it: a map over the storage trie of the base, with what has changed. */

import type { Hash } from '../base/hex.ts'
import { EMPTY_BYTES, equalBytes } from '../base/hex.ts'
import type { StorageTrie } from './account.ts'
import { hashedKey } from './state-root.ts'
import type { UndoLog } from './undo-log.ts'

/** What happened to the storage of one account. */
export interface StorageChange {
  /** Whether all there was before is gone, apart from what the slots say. */
  readonly isCleared: boolean
  /** Slots that may have changed, with their values without leading zeros. */
  readonly slots: Iterable<readonly [Hash, Uint8Array]>
  /** Whether every slot is zero now. */
  readonly isEmpty: boolean
}

/** Slots of one account from its creation, or from the last time they were cleared. */
export class Storage {
  #base: StorageTrie
  /** Slots read or written; no bytes for zero. */
  readonly #values = new Map<Hash, Uint8Array>()
  /** Slots that differ, or have differed, from the base. */
  readonly #dirty = new Set<Hash>()
  /** How many slots are not zero. */
  #size: number

  readonly #onLoad: () => void

  /** `onLoad` is called for every slot that is read into memory. */
  constructor(base: StorageTrie, onLoad: () => void) {
    this.#base = base
    this.#size = base.size
    this.#onLoad = onLoad
  }

  /** Whether every slot is zero. */
  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** Value of a slot without leading zeros. */
  get(slot: Hash): Uint8Array {
    const known = this.#values.get(slot)
    if (known !== undefined) return known
    const value = this.#base.isEmpty ? EMPTY_BYTES : (this.#base.get(hashedKey(slot))?.value ?? EMPTY_BYTES)
    this.#values.set(slot, value)
    this.#onLoad()
    return value
  }

  /** Sets a slot to a value without leading zeros, which is kept; returns whether it was another before. */
  put(slot: Hash, value: Uint8Array, log: UndoLog): boolean {
    const before = this.get(slot)
    if (equalBytes(before, value)) return false
    const isFirst = !this.#dirty.has(slot)
    const size = this.#size
    this.#values.set(slot, value)
    this.#dirty.add(slot)
    this.#size += Math.sign(value.length) - Math.sign(before.length)
    log.push(() => {
      this.#values.set(slot, before)
      if (isFirst) this.#dirty.delete(slot)
      this.#size = size
    })
    return true
  }

  /** What happened to the slots that were once those of the trie. */
  changesSince(before: StorageTrie): StorageChange {
    return { isCleared: this.#base !== before, slots: this.#changes(), isEmpty: this.isEmpty }
  }

  /** The base with all changes. */
  toTrie(): StorageTrie {
    let trie = this.#base
    for (const [slot, value] of this.#changes()) {
      const key = hashedKey(slot)
      trie = value.length === 0 ? trie.delete(key) : trie.put(key, { slot, value })
    }
    return trie
  }

  /** Makes the base of what `toTrie` gave. */
  rebase(base: StorageTrie): void {
    this.#base = base
    this.#dirty.clear()
  }

  *#changes(): IterableIterator<readonly [Hash, Uint8Array]> {
    for (const slot of this.#dirty) yield [slot, this.get(slot)]
  }
}
