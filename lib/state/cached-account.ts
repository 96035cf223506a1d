/** Accounts in the cache of a `State`, and their conversion to leaves of the account trie. */

import type { Address } from '../base/hex.ts'
import type { AccountEntry, AccountFields } from './account.ts'
import type { Nibbles } from './nibbles.ts'
import type { Storage } from './storage.ts'

/** An account in the cache of a `State`. */
export interface CachedAccount {
  readonly address: Address
  /** Key in the account trie. */
  readonly key: Nibbles
  /** Absent if the account does not exist. */
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
