/** The immutable state after a block, with its hash and proofs. */

import type { Address, Hash } from '../base/hex.ts'
import { EMPTY_BYTES, bytesToBigInt, padTo32, toHash } from '../base/hex.ts'
import { invariant, present } from '../base/invariant.ts'
import type { Account, AccountDifference, AccountEntry } from './account.ts'
import { EMPTY_STORAGE, NO_ACCOUNTS } from './account.ts'
import { BinaryState } from './binary-state.ts'
import { hashedKey } from './hashed-key.ts'
import type { Trie } from './trie.ts'

/** Value of a slot that was never written. */
const ZERO_WORD = toHash(new Uint8Array(32))

/** Proof of one storage slot. */
export interface StorageProof {
  readonly slot: Hash
  readonly value: bigint
  /** Nodes from the storage root. */
  readonly proof: readonly Uint8Array[]
}

/** Proof of an account, or of its absence, and of storage slots (EIP-1186). */
export interface AccountProof {
  /** Nodes from the state root. */
  readonly accountProof: readonly Uint8Array[]
  readonly account: Account | undefined
  readonly storageHash: Hash
  readonly storageProof: readonly StorageProof[]
}

/** The tries of a state. */
export interface StateContent {
  /** Accounts by the hash of their address. */
  readonly trie: Trie<AccountEntry>
  /** The same state as a binary trie, on networks that use it for hashes. */
  readonly binary: BinaryState | undefined
}

/** The difference of a state from an earlier one (packed-state.ts). */
export interface StateDifference {
  readonly earlier: StateRoot
  /** Work of rebuilding the tries from the last state that keeps its own; zero if this state keeps its own. */
  readonly work: number
  readonly difference: readonly AccountDifference[]
  readonly rebuild: () => StateContent
}

const hashOf = ({ trie, binary }: StateContent): Hash => toHash((binary ?? trie).hash())

/**
 * All accounts after a block. An old state may be packed: it then holds only its difference from an earlier state, and its
 * tries are rebuilt when they are read.
 */
export class StateRoot {
  /** The state without accounts. */
  static readonly empty = new StateRoot(NO_ACCOUNTS)

  /** The state without accounts of a network with these precompiles and the binary trie. */
  static emptyBinary(precompiles: ReadonlySet<Address>): StateRoot {
    return new StateRoot(NO_ACCOUNTS, BinaryState.empty(precompiles))
  }

  /** Undefined while the content is packed. */
  #content: StateContent | undefined
  /** The rebuilt tries of a packed state, as long as other code uses them. */
  #rebuilt: WeakRef<StateContent> | undefined
  #packed: StateDifference | undefined
  #hash: Hash | undefined

  constructor(trie: Trie<AccountEntry>, binary?: BinaryState) {
    this.#content = { trie, binary }
  }

  /**
   * The tries. A packed state may return other objects at each call, so code that compares nodes by identity must keep a
   * reference to the result.
   */
  get content(): StateContent {
    return this.#content ?? this.#rebuilt?.deref() ?? this.#rebuild()
  }

  /** Accounts by the hash of their address. */
  get trie(): Trie<AccountEntry> {
    return this.content.trie
  }

  /** State root of the header; computed at first use. */
  get hash(): Hash {
    this.#hash ??= hashOf(this.content)
    return this.#hash
  }

  /** Whether the tries are in memory, so that reading them does not rebuild them. */
  get hasTries(): boolean {
    return (this.#content ?? this.#rebuilt?.deref()) !== undefined
  }

  /** The difference from an earlier state; absent until it is packed. */
  get packed(): StateDifference | undefined {
    return this.#packed
  }

  /** Adds the difference from which the tries can be rebuilt. They are in memory until `release`. */
  pack(packed: StateDifference): void {
    this.#packed = packed
  }

  /** Drops the tries of a packed state. */
  release(): void {
    invariant(this.#packed !== undefined, 'a state without a difference was released')
    this.#content = undefined
    this.#hash = undefined
  }

  /** The account at an address. */
  account(address: Address): Account | undefined {
    return this.trie.get(hashedKey(address))
  }

  /** Balance in wei; zero without an account. */
  balance(address: Address): bigint {
    return this.account(address)?.balance ?? 0n
  }

  /** Nonce of an account; zero without an account. */
  nonce(address: Address): bigint {
    return this.account(address)?.nonce ?? 0n
  }

  /** Code at an address; empty without an account. */
  code(address: Address): Uint8Array {
    return this.account(address)?.code ?? EMPTY_BYTES
  }

  /** Value of a storage slot. */
  storageAt(address: Address, slot: Hash): Hash {
    const value = this.account(address)?.storage.get(hashedKey(slot))?.value
    return value === undefined ? ZERO_WORD : toHash(padTo32(value))
  }

  /** All accounts, in the order of the hashed addresses. */
  *accounts(): IterableIterator<[Address, Account]> {
    for (const [, account] of this.trie.entries()) yield [account.address, account]
  }

  /** Proof of an account and of storage slots, always from the account trie, even on networks with a binary trie. */
  prove(address: Address, slots: readonly Hash[]): AccountProof {
    const key = hashedKey(address)
    const account = this.trie.get(key)
    const storage = account?.storage ?? EMPTY_STORAGE
    return {
      accountProof: this.trie.prove(key),
      account,
      storageHash: toHash(storage.hash()),
      storageProof: slots.map((slot) => {
        const slotKey = hashedKey(slot)
        const value = bytesToBigInt(storage.get(slotKey)?.value ?? EMPTY_BYTES)
        return { slot, value, proof: storage.prove(slotKey) }
      }),
    }
  }

  #rebuild(): StateContent {
    const content = present(this.#packed, 'difference of a released state').rebuild()
    this.#rebuilt = new WeakRef(content)
    return content
  }
}
