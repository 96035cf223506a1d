/** The source of a partial state: a fork stores only accounts and slots that differ from a remote block. */

import type { Address, Hash } from '../base/hex.ts'
import { EMPTY_ACCOUNT, type AccountEntry, type AccountFields } from './account.ts'

/** What a node gives to an account when its chain begins. */
export interface Funding {
  /** Wei. */
  readonly balance: bigint
  /** Whether the account keeps its code of a forked chain. Accounts of development keys do not. */
  readonly keepsCode: boolean
}

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
  readonly account: Pick<AccountFields, 'nonce' | 'balance' | 'codeHash'> | undefined
  readonly storageHash: Hash
  readonly storageProof: readonly StorageProof[]
}

/** The state after a block of another chain. All reads throw `NotLoadedError` until their result is in memory. */
export interface StateSource {
  /** State root in the header of that block. */
  readonly stateRoot: Hash
  /** The account at an address; absent if it does not exist. */
  readonly account: (address: Address) => AccountFields | undefined
  /** Value of a slot without leading zeros. */
  readonly storage: (address: Address, slot: Hash) => Uint8Array
  /** Precompiles whose slots have this node's layout. */
  readonly precompileSlots?: ReadonlySet<Address> | undefined
  /** Whether the account differs from the block's, because a fork funds accounts. */
  readonly changes: (address: Address) => boolean
  readonly proof: (address: Address, slots: readonly Hash[]) => AccountProof
  /** Calls a precompile whose slots differ from this node's; absent if there are none. Returns undefined if the call fails. */
  readonly callPrecompile?: ((address: Address, data: Uint8Array) => Uint8Array | undefined) | undefined
  /**
   * Loads what a call will probably read: sender, recipient and the accounts that it names, and what the source can find out.
   * The promise ends with what the source found out. It never rejects.
   */
  readonly expect: (call: ExpectedCall) => Promise<void> | undefined
}

/** A call or a transaction that is about to run. */
export interface ExpectedCall {
  readonly sender: Address
  /** Absent for a creation. */
  readonly to: Address | undefined
  /** Wei. */
  readonly value: bigint
  readonly data: Uint8Array
  /** Other accounts that will be read, as far as they are known. */
  readonly accounts?: readonly Address[]
}

/** Reads the slots of one account of a source, without leading zeros. */
export type SlotSource = (slot: Hash) => Uint8Array

/** An account of a partial state without its changed slots. */
interface PartialAccount {
  /** Absent if the account does not exist. */
  readonly fields: AccountFields | undefined
  /** Absent if slots that are not in the storage trie are zero. */
  readonly slots?: SlotSource | undefined
}

/** Reads an account. `entry` is absent if it does not differ from the source. @throws NotLoadedError */
export function partialAccount(
  source: StateSource,
  address: Address,
  entry: AccountEntry | undefined,
): PartialAccount {
  const slots: SlotSource = (slot) => source.storage(address, slot)
  if (entry?.relation === 'deleted') return { fields: undefined }
  if (entry !== undefined) return { fields: entry, slots: entry.relation === 'continued' ? slots : undefined }
  const fields = source.account(address)
  // An account with neither code nor nonce has no storage (EIP-7610), unless it is a precompile.
  const isContract = fields !== undefined && (fields.code.length > 0 || fields.nonce > 0n)
  const hasStorage = isContract || source.precompileSlots?.has(address) === true
  return { fields, slots: hasStorage ? slots : undefined }
}

/** Marks a deleted account in a partial state. Without this leaf, the account would be the source's. */
export const deletedEntry = (address: Address): AccountEntry => ({
  ...EMPTY_ACCOUNT,
  address,
  relation: 'deleted',
})
