/** The mutable storage of one account: its storage trie, and a map with the slots that were read or changed. */

import { EMPTY_BYTES, equalBytes, type Hash, type Address } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import type { StorageTrie, AccountEntry, AccountFields } from './account.ts'
import type { SlotSource } from './state-source.ts'
import { hashedKey, type Nibbles } from './trie-nodes.ts'

interface Slot {
  readonly slot: Hash
  /** Without leading zeros; empty for zero. */
  value: Uint8Array
  /** Key in the trie. It is computed once, on demand, because the hash is the most expensive step. */
  key: Nibbles | undefined
}

/** Storage of one account: its trie, or an empty one since the last clear, and later changes. */
export class Storage {
  #base: StorageTrie
  readonly #slots = new Map<Hash, Slot>()
  /** Slots that differ or have differed from the base. */
  readonly #dirty = new Set<Slot>()
  readonly #onLoad: () => void
  readonly #source: SlotSource | undefined

  /** `onLoad` is called for every cached slot. Slots missing in `base` are the source's, if there is one. */
  constructor(base: StorageTrie, onLoad: () => void, source?: SlotSource) {
    this.#base = base
    this.#onLoad = onLoad
    this.#source = source
  }

  /** Whether every slot is zero. A storage with a source counts as not empty. */
  get isEmpty(): boolean {
    return this.#source === undefined && this.toTrie().isEmpty
  }

  /** Whether slots missing in the trie are in a source. */
  get hasSource(): boolean {
    return this.#source !== undefined
  }

  get(slot: Hash): Uint8Array {
    return this.#slot(slot).value
  }

  /** Sets a slot to a value without leading zeros, which is not copied. Returns whether the value changed. */
  put(slot: Hash, value: Uint8Array, journal: Journal): boolean {
    // A slot of the source can be written without being loaded.
    if (this.#source !== undefined && !this.#slots.has(slot)) return this.#putUnread(slot, value, journal)
    const changed = this.#slot(slot)
    const before = changed.value
    if (equalBytes(before, value)) return false
    const isFirst = !this.#dirty.has(changed)
    changed.value = value
    this.#dirty.add(changed)
    journal.push(() => {
      changed.value = before
      if (isFirst) this.#dirty.delete(changed)
    })
    return true
  }

  #putUnread(slot: Hash, value: Uint8Array, journal: Journal): true {
    const added: Slot = { slot, value, key: undefined }
    this.#slots.set(slot, added)
    this.#dirty.add(added)
    journal.push(() => {
      this.#slots.delete(slot)
      this.#dirty.delete(added)
    })
    return true
  }

  toTrie(): StorageTrie {
    let trie = this.#base
    for (const changed of this.#dirty) {
      const { slot, value } = changed
      const key = keyOf(changed)
      const isAbsent = value.length === 0 && this.#source === undefined
      trie = isAbsent ? trie.delete(key) : trie.put(key, { slot, value })
    }
    return trie
  }

  /** Makes the result of `toTrie` the new base. */
  rebase(base: StorageTrie): void {
    this.#base = base
    this.#dirty.clear()
  }

  #slot(slot: Hash): Slot {
    return this.#slots.get(slot) ?? this.#load(slot)
  }

  #load(slot: Hash): Slot {
    const loaded: Slot = { slot, value: EMPTY_BYTES, key: undefined }
    const entry = this.#base.isEmpty ? undefined : this.#base.get(keyOf(loaded))
    loaded.value = entry?.value ?? this.#source?.(slot) ?? EMPTY_BYTES
    this.#slots.set(slot, loaded)
    this.#onLoad()
    return loaded
  }
}

function keyOf(slot: Slot): Nibbles {
  slot.key ??= hashedKey(slot.slot)
  return slot.key
}

/** An account in the cache of a `State`. */
export interface CachedAccount {
  readonly address: Address
  readonly key: Nibbles
  fields: AccountFields | undefined
  storage: Storage
}

/** The leaf of the account trie. */
export function toEntry(
  { address, storage }: CachedAccount,
  { nonce, balance, code, codeHash }: AccountFields,
): AccountEntry {
  const entry = { address, nonce, balance, code, codeHash, storage: storage.toTrie() }
  return storage.hasSource ? { ...entry, relation: 'continued' } : entry
}

export type JournalEntry = () => void

/** A list of undo steps with nested checkpoints. */
export class Journal {
  readonly #entries: JournalEntry[] = []
  /** Length of the list at each open checkpoint. */
  readonly #marks: number[] = []

  get depth(): number {
    return this.#marks.length
  }

  /** Adds the undo step of a change that was just made. Does nothing without an open checkpoint. */
  push(undo: JournalEntry): void {
    if (this.#marks.length > 0) this.#entries.push(undo)
  }

  checkpoint(): void {
    this.#marks.push(this.#entries.length)
  }

  /** Closes the innermost checkpoint. Its changes become part of the enclosing checkpoint. */
  commit(): void {
    present(this.#marks.pop(), 'checkpoint to commit')
    if (this.#marks.length === 0) this.#entries.length = 0
  }

  /** Closes the innermost checkpoint and undoes its changes, newest first. */
  revert(): void {
    const mark = present(this.#marks.pop(), 'checkpoint to revert')
    while (this.#entries.length > mark) this.#entries.pop()?.()
  }
}
