/** Converts accounts between the cache of a working copy and the trie. */

import type { Address } from '../base/hex.ts'
import type { AccountEntry, AccountFields } from './account.ts'
import type { Nibbles } from './nibbles.ts'
import type { Storage } from './storage.ts'

/** An account in the cache of the working copy. */
export interface CachedAccount {
  readonly address: Address
  /** Key in the account trie. */
  readonly key: Nibbles
  /** Absent when there is no account. */
  fields: AccountFields | undefined
  storage: Storage
}

/** The leaf of the trie. */
export function toEntry(
  { address, storage }: CachedAccount,
  { nonce, balance, code, codeHash }: AccountFields,
): AccountEntry {
  return { address, nonce, balance, code, codeHash, storage: storage.toTrie() }
}
