/** The mutable state of an execution (geth, StateDB): accounts and slots over an immutable root, with nested checkpoints. */

import { EMPTY_BYTES, stripZeros, toHash, type Address, type Hash } from '../base/hex.ts'
import { invariant } from '../base/invariant.ts'
import { keccak256 } from '../crypto/keccak.ts'
import {
  EMPTY_ACCOUNT,
  EMPTY_CODE_HASH,
  EMPTY_STORAGE,
  type AccountFields,
  type StorageTrie,
} from './account.ts'
import { StateRoot } from './state-root.ts'
import { deletedEntry, partialAccount, type SlotSource, type StateSource } from './state-source.ts'
import { Journal, toEntry, Storage, type JournalEntry, type CachedAccount } from './storage.ts'
import { hashedKey } from './trie-nodes.ts'

/** Maximum number of cached accounts and slots. Above it, unchanged ones are dropped. */
const MAX_CACHED = 100_000

/** The mutable working copy of a state root, with checkpoints that can be reverted. */
export class State {
  #base: StateRoot
  readonly #accounts = new Map<Address, CachedAccount>()
  /** Accounts that differ or have differed from the base. */
  readonly #dirty = new Set<CachedAccount>()
  readonly #journal = new Journal()
  /** Number of accounts and slots cached since the cache was last dropped. */
  #loads = 0
  #listener: StateListener | undefined

  constructor(root: StateRoot) {
    this.#base = root
  }

  /** The root that the state began with, or that last became its base. */
  get base(): StateRoot {
    return this.#base
  }

  /** Whether there are changes that are not part of the base. */
  get isDirty(): boolean {
    return this.#dirty.size > 0
  }

  /** Number of accounts and slots that were read and are cached. */
  get cachedCount(): number {
    return this.#loads
  }

  /** Sets the listener of changes; `undefined` removes it. */
  listen(listener: StateListener | undefined): void {
    this.#listener = listener
  }

  account(address: Address): AccountFields | undefined {
    return this.#cached(address).fields
  }

  /** Sets nonce and balance. An existing account keeps its code and storage. */
  putAccount(address: Address, { nonce, balance }: Pick<AccountFields, 'nonce' | 'balance'>): void {
    const cached = this.#cached(address)
    const before = cached.fields
    if (before?.nonce === nonce && before.balance === balance) return
    const { code, codeHash } = before ?? EMPTY_ACCOUNT
    this.#putFields(cached, { nonce, balance, code, codeHash })
  }

  /** Adds wei, possibly negative, to an account's balance. An absent account is created. */
  addBalance(address: Address, wei: bigint): void {
    const { nonce, balance } = this.account(address) ?? EMPTY_ACCOUNT
    this.putAccount(address, { nonce, balance: balance + wei })
  }

  deleteAccount(address: Address): void {
    const cached = this.#cached(address)
    if (cached.fields === undefined) return
    this.#clear(cached)
    this.#putFields(cached, undefined)
  }

  code(address: Address): Uint8Array {
    return this.#cached(address).fields?.code ?? EMPTY_BYTES
  }

  /** Sets the code at an address. Creates the account if it does not exist. */
  putCode(address: Address, code: Uint8Array): void {
    const cached = this.#cached(address)
    const { nonce, balance, codeHash } = cached.fields ?? EMPTY_ACCOUNT
    const newHash = code.length === 0 ? EMPTY_CODE_HASH : toHash(keccak256(code))
    if (newHash === codeHash && cached.fields !== undefined) return
    // A copy, because the code may be a view into the memory of an execution.
    this.#putFields(cached, { nonce, balance, code: code.slice(), codeHash: newHash })
  }

  /** Value of a slot without leading zeros. */
  storage(address: Address, slot: Hash): Uint8Array {
    return this.#cached(address).storage.get(slot)
  }

  /** Sets a slot. Creates the account if it does not exist and the value is not zero. */
  putStorage(address: Address, slot: Hash, value: Uint8Array): void {
    const cached = this.#cached(address)
    const onChange = this.#listener?.onStorageChange
    const previous = onChange === undefined ? EMPTY_BYTES : cached.storage.get(slot)
    // Copied for the same reason as code, and because a separate small array needs less memory than a view.
    const kept = stripZeros(value).slice()
    if (!cached.storage.put(slot, kept, this.#journal)) return
    onChange?.({ address, slot, previous, value: kept })
    if (cached.fields === undefined) this.#putFields(cached, EMPTY_ACCOUNT)
    else this.#markDirty(cached)
  }

  clearStorage(address: Address): void {
    this.#clear(this.#cached(address))
  }

  /** Whether any slot of an account is not zero (EIP-7610). */
  hasStorage(address: Address): boolean {
    return !this.#cached(address).storage.isEmpty
  }

  /** The source of a partial state; absent if the state is whole. Its reads may throw `NotLoadedError`. */
  get source(): StateSource | undefined {
    return this.#base.source
  }

  get depth(): number {
    return this.#journal.depth
  }

  /** Opens a checkpoint. The changes after it can be reverted together. */
  checkpoint(): void {
    if (this.#loads > MAX_CACHED && this.#journal.depth === 0 && this.#dirty.size === 0) this.#forget()
    this.#journal.checkpoint()
  }

  commit(): void {
    this.#journal.commit()
  }

  revert(): void {
    this.#journal.revert()
  }

  /** Adds a function that reverts a change outside of the state together with the changes since the innermost checkpoint. */
  onRevert(undo: JournalEntry): void {
    this.#journal.push(undo)
  }

  /** Closes the open checkpoints above a depth (0 for all) and reverts the changes since them. */
  revertTo(depth: number): void {
    while (this.#journal.depth > depth) this.#journal.revert()
  }

  /** The root with all changes so far (geth, IntermediateRoot). It changes nothing and can be called at any time. */
  intermediateRoot(): StateRoot {
    if (this.#dirty.size === 0) return this.#base
    const { source } = this.#base
    let { trie } = this.#base
    for (const cached of this.#dirty) {
      const { address, key, fields } = cached
      if (fields !== undefined) trie = trie.put(key, toEntry(cached, fields))
      else trie = source === undefined ? trie.delete(key) : trie.put(key, deletedEntry(address))
    }
    return new StateRoot(trie, source)
  }

  /** Makes the root with all changes the new base and returns it. No checkpoint may be open. */
  commitRoot(): StateRoot {
    invariant(this.#journal.depth === 0, `sealed with ${this.#journal.depth} open checkpoints`)
    this.#base = this.intermediateRoot()
    for (const cached of this.#dirty) {
      const entry = this.#base.trie.get(cached.key)
      cached.fields = entry?.relation === 'deleted' ? undefined : entry
      cached.storage.rebase(entry?.storage ?? EMPTY_STORAGE)
    }
    this.#dirty.clear()
    return this.#base
  }

  /** Drops all changes and checkpoints and continues from this root, which may be the current one. */
  reset(root: StateRoot): void {
    this.revertTo(0)
    if (root === this.#base && this.#dirty.size === 0) return
    this.#base = root
    this.#dirty.clear()
    this.#forget()
  }

  #cached(address: Address): CachedAccount {
    return this.#accounts.get(address) ?? this.#load(address)
  }

  #load(address: Address): CachedAccount {
    const key = hashedKey(address)
    const { trie, source } = this.#base
    const entry = trie.get(key)
    const { fields, slots } =
      source === undefined ? { fields: entry } : partialAccount(source, address, entry)
    const storage = this.#storageOver(entry?.storage ?? EMPTY_STORAGE, slots)
    const cached = { address, key, fields, storage }
    this.#accounts.set(address, cached)
    this.#loads++
    return cached
  }

  #storageOver(base: StorageTrie, source?: SlotSource): Storage {
    return new Storage(base, () => this.#loads++, source)
  }

  #putFields(cached: CachedAccount, fields: AccountFields | undefined): void {
    const before = cached.fields
    cached.fields = fields
    this.#journal.push(() => (cached.fields = before))
    this.#markDirty(cached)
    if (this.#listener !== undefined) notifyAccountChange(this.#listener, cached.address, before, fields)
  }

  /** Replaces the storage by an empty one. The journal keeps the old storage for a revert. */
  #clear(cached: CachedAccount): void {
    const before = cached.storage
    if (before.isEmpty) return
    cached.storage = this.#storageOver(EMPTY_STORAGE)
    this.#journal.push(() => (cached.storage = before))
    this.#markDirty(cached)
  }

  #markDirty(cached: CachedAccount): void {
    if (this.#dirty.has(cached)) return
    this.#dirty.add(cached)
    this.#journal.push(() => this.#dirty.delete(cached))
  }

  #forget(): void {
    this.#accounts.clear()
    this.#loads = 0
  }
}

/** Hooks that are called for changes, but not for their reverts. */
export interface StateListener {
  readonly onBalanceChange?: ((address: Address, previous: bigint, balance: bigint) => void) | undefined
  readonly onNonceChange?: ((address: Address, previous: bigint, nonce: bigint) => void) | undefined
  readonly onCodeChange?: ((address: Address, previous: Uint8Array, code: Uint8Array) => void) | undefined
  readonly onStorageChange?: ((change: SlotChange) => void) | undefined
}

/** A change of one slot. The deletion of an account does not report its slots. */
export interface SlotChange {
  readonly address: Address
  readonly slot: Hash
  /** Without leading zeros. A precompile of network 33 can store more than 32 bytes in a slot. */
  readonly previous: Uint8Array
  /** In the same form as `previous`. */
  readonly value: Uint8Array
}

/** Calls the hooks for the fields of an account that differ. A missing account counts as empty. */
function notifyAccountChange(
  listener: StateListener,
  address: Address,
  before: AccountFields = EMPTY_ACCOUNT,
  now: AccountFields = EMPTY_ACCOUNT,
): void {
  if (before.balance !== now.balance) listener.onBalanceChange?.(address, before.balance, now.balance)
  if (before.nonce !== now.nonce) listener.onNonceChange?.(address, before.nonce, now.nonce)
  if (before.codeHash !== now.codeHash) listener.onCodeChange?.(address, before.code, now.code)
}
