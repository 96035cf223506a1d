/** Accounts of a state root, and their encoding for the account trie (Yellow Paper, section 4.1). */

import { EMPTY_BYTES, asHash, bigIntToBytes, fromHex, type Address, type Hash } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { HASH_OF_NOTHING } from '../crypto/keccak.ts'
import { Trie } from './trie.ts'

/** The fields of an account without its storage. */
export interface AccountFields {
  readonly nonce: bigint
  /** In wei. */
  readonly balance: bigint
  readonly code: Uint8Array
  readonly codeHash: Hash
}

export interface StorageEntry {
  /** The slot; the key in the trie is its hash. */
  readonly slot: Hash
  /** Big-endian without leading zeros, at least one byte. */
  readonly value: Uint8Array
}

/** Storage of one contract; the key is keccak256 of the slot. */
export type StorageTrie = Trie<StorageEntry>

export interface Account extends AccountFields {
  readonly storage: StorageTrie
}

/**
 * How an account of a partial state relates to the source: it continues the source's account, which then has the slots that are
 * missing in its storage trie, or it was deleted.
 */
export type SourceRelation = 'continued' | 'deleted'

/** A leaf of the account trie; its key is keccak256 of the address. */
export interface AccountEntry extends Account {
  readonly address: Address
  /** Only in a partial state; absent if the account was created after the source. */
  readonly relation?: SourceRelation
}

export interface AccountDifference {
  readonly address: Address
  /** Absent if the account was deleted. */
  readonly account: ChangedFields | undefined
}

/** The new fields of an account that differs. */
export interface ChangedFields {
  readonly nonce: bigint
  readonly balance: bigint
  /** Absent if unchanged. */
  readonly code: Uint8Array | undefined
  /** Changed slots, with their values without leading zeros; zero has no bytes. */
  readonly storage: readonly (readonly [slot: Hash, value: Uint8Array])[]
  /** Only in a partial state, if the source has the slots that are missing in the storage trie. */
  readonly relation?: 'continued'
}

/** Code hash of an account without code: keccak256 of no bytes. */
export const EMPTY_CODE_HASH = asHash(HASH_OF_NOTHING)

export const EMPTY_STORAGE: StorageTrie = new Trie(({ value }) => encodeRlp(value))

/** An empty account. Since EIP-161 it is equivalent to an absent account. */
export const EMPTY_ACCOUNT: Account = {
  nonce: 0n,
  balance: 0n,
  code: EMPTY_BYTES,
  codeHash: EMPTY_CODE_HASH,
  storage: EMPTY_STORAGE,
}

export const NO_ACCOUNTS: Trie<AccountEntry> = new Trie(entryItems)

const EMPTY_CODE_HASH_BYTES = fromHex(EMPTY_CODE_HASH)

/** The leaf of an account. In a partial state it contains the relation to the source, so that the root depends on it. */
function entryItems(entry: AccountEntry): readonly Uint8Array[] {
  const { relation } = entry
  if (relation === undefined) return accountItems(entry)
  return [...accountItems(entry), Uint8Array.of(RELATION_BYTES[relation])]
}

const RELATION_BYTES: Readonly<Record<SourceRelation, number>> = { continued: 1, deleted: 2 }

/** Nonce, balance, storage root and code hash: the list whose encoding is the leaf of an account (Yellow Paper, 4.1). */
export const accountItems = ({ nonce, balance, storage, codeHash }: Account): readonly Uint8Array[] => [
  bigIntToBytes(nonce),
  bigIntToBytes(balance),
  storage.hash(),
  codeHashBytes(codeHash),
]

/** Bytes of a code hash. Callers must not change them, because accounts without code share them. */
export const codeHashBytes = (codeHash: Hash): Uint8Array =>
  codeHash === EMPTY_CODE_HASH ? EMPTY_CODE_HASH_BYTES : fromHex(codeHash)
