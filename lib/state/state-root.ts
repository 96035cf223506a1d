/** The immutable state after a block, with its hash and proofs. */

import type { Address, Hash } from '../base/hex.ts'
import { EMPTY_BYTES, bytesToBigInt, padTo32, toHash } from '../base/hex.ts'
import type { Account, AccountEntry } from './account.ts'
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

/** All accounts after a block. */
export class StateRoot {
  /** The state without accounts. */
  static readonly empty = new StateRoot(NO_ACCOUNTS)

  /** The state without accounts of a network with these precompiles and the binary trie. */
  static emptyBinary(precompiles: ReadonlySet<Address>): StateRoot {
    return new StateRoot(NO_ACCOUNTS, BinaryState.empty(precompiles))
  }

  /** Accounts by the hash of their address. */
  readonly trie: Trie<AccountEntry>
  /** The same state as a binary trie, on networks whose state root is that of the binary trie. */
  readonly binary: BinaryState | undefined
  #hash: Hash | undefined

  constructor(trie: Trie<AccountEntry>, binary?: BinaryState) {
    this.trie = trie
    this.binary = binary
  }

  /** State root of the header; computed at first use. */
  get hash(): Hash {
    this.#hash ??= toHash((this.binary ?? this.trie).hash())
    return this.#hash
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
}
