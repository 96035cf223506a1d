/** The immutable state after a block, with its hash and proofs. */

import { NodeError } from '../base/errors.ts'
import type { Address, Hash } from '../base/hex.ts'
import { EMPTY_BYTES, bytesToBigInt, fromHex, padTo32, toHash } from '../base/hex.ts'
import { invariant, present } from '../base/invariant.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { AccountProof } from './account-proof.ts'
import type { Account, AccountDifference, AccountEntry, StorageTrie } from './account.ts'
import { EMPTY_STORAGE, NO_ACCOUNTS } from './account.ts'
import { BinaryState } from './binary-state.ts'
import { hashedKey } from './hashed-key.ts'
import type { StateSource } from './state-source.ts'
import type { Trie } from './trie.ts'

/** Value of a slot that was never written. */
const ZERO_WORD = toHash(new Uint8Array(32))

/** The tries of a state. */
export interface StateContent {
  /** Accounts by the hash of their address. */
  readonly trie: Trie<AccountEntry>
  /** The same state as a binary trie, on networks that use it for hashes. */
  readonly binary: BinaryState | undefined
  /** Absent if the tries are the whole state. Otherwise they are what differs from the source. */
  readonly source?: StateSource | undefined
}

/** The difference of a state from an earlier one (packed-state.ts). */
export interface StateDifference {
  readonly earlier: StateRoot
  /** Work of rebuilding the tries from the last state that kept its own when this one was packed. */
  readonly work: number
  readonly difference: readonly AccountDifference[]
  /** Approximate bytes in memory. */
  readonly size: number
  /** Rebuilds the tries of the state, and gives them to `hold` of the state. */
  readonly rebuild: (state: StateRoot) => void
}

/**
 * The state root. That of a partial state covers what differs from the source: it is the state root of the source while nothing
 * does, and then keccak256 of that root and the root of the trie of the changed accounts. It proves nothing.
 */
function hashOf({ trie, binary, source }: StateContent): Hash {
  if (source === undefined) return toHash((binary ?? trie).hash())
  if (trie.isEmpty) return source.stateRoot
  return toHash(keccak256(Uint8Array.of(...fromHex(source.stateRoot), ...trie.hash())))
}

/**
 * All accounts after a block. An old state may be packed: it then holds only its difference from an earlier state, and its
 * tries are rebuilt when they are read.
 */
export class StateRoot {
  /** The state without accounts. */
  static readonly empty = new StateRoot({ trie: NO_ACCOUNTS, binary: undefined })

  /** The state without accounts of a network with these precompiles and the binary trie. */
  static emptyBinary(precompiles: ReadonlySet<Address>): StateRoot {
    return new StateRoot({ trie: NO_ACCOUNTS, binary: BinaryState.empty(precompiles) })
  }

  /** The state of a source, without changes. */
  static of(source: StateSource): StateRoot {
    return new StateRoot({ trie: NO_ACCOUNTS, binary: undefined, source })
  }

  /** Undefined while the content is packed. */
  #content: StateContent | undefined
  /** The rebuilt tries of a packed state, as long as other code uses them. */
  #rebuilt: WeakRef<StateContent> | undefined
  #packed: StateDifference | undefined
  #hash: Hash | undefined

  /** The source of a partial state; absent if the state is whole. */
  readonly source: StateSource | undefined

  constructor(content: StateContent) {
    this.#content = content
    this.source = content.source
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

  /** Whether the tries are only what differs from a source. */
  get isPartial(): boolean {
    return this.source !== undefined
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

  /** Whether the state itself holds its tries. */
  get keepsTries(): boolean {
    return this.#content !== undefined
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
    const { trie, source } = this.content
    const entry = trie.get(hashedKey(address))
    if (source === undefined) return entry
    if (entry !== undefined) return entry.relation === 'deleted' ? undefined : entry
    const fields = source.account(address)
    return fields && { ...fields, storage: EMPTY_STORAGE }
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
    const { trie, source } = this.content
    const entry = trie.get(hashedKey(address))
    const changed = entry?.storage.get(hashedKey(slot))?.value
    const isOfSource = entry === undefined || entry.relation === 'continued'
    const value = changed ?? (isOfSource ? source?.storage(address, slot) : undefined)
    return value === undefined ? ZERO_WORD : toHash(padTo32(value))
  }

  /** All accounts, in the order of the hashed addresses; those of a partial state that differ from the source. */
  *accounts(): IterableIterator<[Address, Account]> {
    for (const [, account] of this.trie.entries())
      if (account.relation !== 'deleted') yield [account.address, account]
  }

  /**
   * The storage of an account, empty without an account.
   * @throws NodeError 'invalidParams' if it is a part of that of the source of a partial state
   */
  wholeStorage(address: Address): StorageTrie {
    const { trie, source } = this.content
    const entry = trie.get(hashedKey(address))
    const isPart = entry === undefined || entry.relation === 'continued'
    if (source !== undefined && isPart)
      throw new NodeError(
        'invalidParams',
        `the slots of account ${address} cannot be listed: a fork knows only those that were read or written`,
      )
    return entry?.storage ?? EMPTY_STORAGE
  }

  /**
   * Proof of an account and of storage slots, always from the account trie, even on networks with a binary trie. In a partial
   * state it is that of the source.
   * @throws NodeError 'invalidParams' if the account differs from the source; NotLoadedError
   */
  prove(address: Address, slots: readonly Hash[]): AccountProof {
    const key = hashedKey(address)
    const { trie, source } = this.content
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

  /**
   * Root of the storage trie of an account.
   * @throws NodeError 'invalidParams' if slots of the account differ from the source of a partial state; NotLoadedError
   */
  storageRoot(address: Address): Hash {
    const { trie, source } = this.content
    const entry = trie.get(hashedKey(address))
    const isOfSource = entry === undefined || entry.relation === 'continued'
    if (source === undefined || !isOfSource) return toHash((entry?.storage ?? EMPTY_STORAGE).hash())
    if (entry?.storage.isEmpty === false) throw notProvable(address, 'storage root')
    return source.proof(address, []).storageHash
  }

  /** Takes rebuilt tries, as long as other code uses them. */
  hold(content: StateContent): void {
    this.#rebuilt = new WeakRef(content)
  }

  #rebuild(): StateContent {
    present(this.#packed, 'difference of a released state').rebuild(this)
    return present(this.#rebuilt?.deref(), 'tries of a rebuilt state')
  }
}

const notProvable = (address: Address, what: string): NodeError =>
  new NodeError(
    'invalidParams',
    `account ${address} differs from the block that this chain was forked from, so it has no ${what}: a fork does not have the whole state trie`,
  )
