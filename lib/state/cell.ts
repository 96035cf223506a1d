/** An account and its storage as the working copy keeps them, and as the trie does. */

import type { Address } from '../base/hex.ts'
import type { AccountEntry, AccountFields } from './account.ts'
import type { Storage } from './storage.ts'

/** What is known of an address. */
export interface Cell {
  readonly address: Address
  /** Key in the account trie. */
  readonly key: Uint8Array
  /** Nothing when there is no account. */
  fields: AccountFields | undefined
  storage: Storage
}

/** The leaf of the trie. */
export function toEntry(
  { address, storage }: Cell,
  { nonce, balance, code, codeHash }: AccountFields,
): AccountEntry {
  return { address, nonce, balance, code, codeHash, storage: storage.toTrie() }
}
