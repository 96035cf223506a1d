/** The immutable state after a block, with its hash and proofs. */

import { invalidParams, type NodeError } from '../base/errors.ts'
import { EMPTY_BYTES, bytesToBigInt, fromHex, padTo32, toHash, type Address, type Hash } from '../base/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { AccountProof, StateSource } from './state-source.ts'
import { EMPTY_STORAGE, NO_ACCOUNTS, type Account, type AccountEntry, type StorageTrie } from './account.ts'
import { hashedKey } from './trie-nodes.ts'
import type { Trie } from './trie.ts'

/** Value of a slot that was never written. */
const ZERO_WORD = toHash(new Uint8Array(32))

/**
 * The state root. For a partial state it covers the differences from the source: without any it is the source's state root,
 * otherwise keccak256 of that root and the root of the trie of changed accounts. It proves nothing.
 */
function hashOf({ trie, source }: StateRoot): Hash {
  if (source === undefined) return toHash(trie.hash())
  if (trie.isEmpty) return source.stateRoot
  return toHash(keccak256(Uint8Array.of(...fromHex(source.stateRoot), ...trie.hash())))
}

/** All accounts after a block. */
export class StateRoot {
  static readonly empty = new StateRoot()

  /** Accounts by the hash of their address: all, or those that differ from the source. */
  readonly trie: Trie<AccountEntry>
  /** The source of a partial state; absent if the state is whole. */
  readonly source: StateSource | undefined
  #hash: Hash | undefined

  constructor(trie = NO_ACCOUNTS, source?: StateSource) {
    this.trie = trie
    this.source = source
  }

  /** Whether the tries contain only the differences from a source. */
  get isPartial(): boolean {
    return this.source !== undefined
  }

  /** State root of the header; computed at first use. */
  get hash(): Hash {
    this.#hash ??= hashOf(this)
    return this.#hash
  }

  account(address: Address): Account | undefined {
    const { trie, source } = this
    const entry = trie.get(hashedKey(address))
    if (source === undefined) return entry
    if (entry !== undefined) return entry.relation === 'deleted' ? undefined : entry
    const fields = source.account(address)
    return fields && { ...fields, storage: EMPTY_STORAGE }
  }

  balance(address: Address): bigint {
    return this.account(address)?.balance ?? 0n
  }

  nonce(address: Address): bigint {
    return this.account(address)?.nonce ?? 0n
  }

  code(address: Address): Uint8Array {
    return this.account(address)?.code ?? EMPTY_BYTES
  }

  storageAt(address: Address, slot: Hash): Hash {
    const { trie, source } = this
    const changed = trie.get(hashedKey(address))?.storage.get(hashedKey(slot))?.value
    const value = changed ?? (this.continues(address) ? source?.storage(address, slot) : undefined)
    return value === undefined ? ZERO_WORD : toHash(padTo32(value))
  }

  /** Whether an account's missing slots in its trie are in the source of a partial state. */
  continues(address: Address): boolean {
    const entry = this.trie.get(hashedKey(address))
    return this.isPartial && (entry === undefined || entry.relation === 'continued')
  }

  /** All accounts in the order of hashed addresses; in a partial state only those that differ from the source. */
  *accounts(): IterableIterator<[Address, Account]> {
    for (const [, account] of this.trie.entries())
      if (account.relation !== 'deleted') yield [account.address, account]
  }

  /** The storage of an account, empty without one. @throws NodeError 'invalidParams' if it is only part of the source's */
  wholeStorage(address: Address): StorageTrie {
    if (this.continues(address))
      throw invalidParams(
        `the slots of account ${address} cannot be listed: a fork knows only those that were read or written`,
      )
    return this.trie.get(hashedKey(address))?.storage ?? EMPTY_STORAGE
  }

  /**
   * Proof of an account and storage slots. In a partial state it is the source's. @throws NodeError 'invalidParams' if the account
   * differs from the source; NotLoadedError
   */
  prove(address: Address, slots: readonly Hash[]): AccountProof {
    const key = hashedKey(address)
    const { trie, source } = this
    const account = trie.get(key)
    if (source !== undefined) {
      if (account !== undefined || source.changes(address)) throw notProvable(address, 'proof')
      return source.proof(address, slots)
    }
    const storage = account?.storage ?? EMPTY_STORAGE
    return {
      accountProof: trie.prove(key),
      account,
      storageHash: toHash(storage.hash()),
      storageProof: slots.map((slot) => {
        const slotKey = hashedKey(slot)
        const value = bytesToBigInt(storage.get(slotKey)?.value ?? EMPTY_BYTES)
        return { slot, value, proof: storage.prove(slotKey) }
      }),
    }
  }

  /** Root of an account's storage trie. @throws NodeError 'invalidParams' if slots differ from a source; NotLoadedError */
  storageRoot(address: Address): Hash {
    const { trie, source } = this
    const entry = trie.get(hashedKey(address))
    if (source === undefined || !this.continues(address))
      return toHash((entry?.storage ?? EMPTY_STORAGE).hash())
    if (entry?.storage.isEmpty === false) throw notProvable(address, 'storage root')
    return source.proof(address, []).storageHash
  }
}

const notProvable = (address: Address, what: string): NodeError =>
  invalidParams(
    `account ${address} differs from the block that this chain was forked from, so it has no ${what}: a fork does not have the whole state trie`,
  )
