/** Computes the difference between two states and applies it. State files contain such differences. */

import type { Hash } from '../base/hex.ts'
import { EMPTY_BYTES, equalBytes } from '../base/hex.ts'
import type { AccountDifference, AccountEntry, ChangedFields, StorageTrie } from './account.ts'
import { EMPTY_STORAGE } from './account.ts'
import type { StateRoot } from './state-root.ts'
import { State } from './state.ts'

/** An account that differs and was not deleted. */
type ChangedAccount = AccountDifference & { readonly account: ChangedFields }

/** The accounts that differ between a state and an earlier one. */
export function differenceOf(earlier: StateRoot, later: StateRoot): readonly AccountDifference[] {
  // Empty blocks keep the state of their parents.
  if (later === earlier) return []
  const { packed } = later
  if (packed?.earlier === earlier) return packed.difference
  return [...later.trie.changesSince(earlier.trie)].flatMap(({ before, after }): AccountDifference[] => {
    if (after === undefined)
      return before === undefined ? [] : [{ address: before.address, account: undefined }]
    const difference = accountDifference(before, after)
    return isChange(before, difference) ? [difference] : []
  })
}

function accountDifference(before: AccountEntry | undefined, after: AccountEntry): ChangedAccount {
  const { address, nonce, balance, code, codeHash } = after
  const storage = storageDifference(before?.storage ?? EMPTY_STORAGE, after.storage)
  const isSameCode = before === undefined ? code.length === 0 : before.codeHash === codeHash
  return { address, account: { nonce, balance, storage, code: isSameCode ? undefined : code } }
}

/** Whether an account differs in more than its identity: states that were rebuilt have copies of the same accounts. */
function isChange(before: AccountEntry | undefined, { account }: ChangedAccount): boolean {
  const { nonce, balance, code, storage } = account
  return before?.nonce !== nonce || before.balance !== balance || code !== undefined || storage.length > 0
}

function storageDifference(
  before: StorageTrie,
  after: StorageTrie,
): readonly (readonly [Hash, Uint8Array])[] {
  return [...after.changesSince(before)].flatMap((change): (readonly [Hash, Uint8Array])[] => {
    const entry = change.after ?? change.before
    const [old, value] = [change.before?.value ?? EMPTY_BYTES, change.after?.value ?? EMPTY_BYTES]
    return entry === undefined || equalBytes(old, value) ? [] : [[entry.slot, value]]
  })
}

/** Applies account differences to an earlier state. */
export function withDifference(earlier: StateRoot, accounts: readonly AccountDifference[]): StateRoot {
  const state = new State(earlier)
  for (const { address, account } of accounts) {
    if (account === undefined) {
      state.deleteAccount(address)
      continue
    }
    state.putAccount(address, account)
    if (account.code !== undefined) state.putCode(address, account.code)
    for (const [slot, value] of account.storage) state.putStorage(address, slot, value)
  }
  return state.commitRoot()
}
