/** Computes the difference between two states and applies it. State files contain such differences. */

import type { Address, Hash } from '../base/hex.ts'
import { EMPTY_BYTES } from '../base/hex.ts'
import type { AccountEntry, StorageTrie } from './account.ts'
import { EMPTY_STORAGE } from './account.ts'
import type { StateRoot } from './state-root.ts'
import { State } from './state.ts'

/** An account that differs. */
export interface AccountDifference {
  readonly address: Address
  /** Absent if the account was deleted. */
  readonly account:
    | {
        readonly nonce: bigint
        readonly balance: bigint
        /** Absent if unchanged. */
        readonly code: Uint8Array | undefined
        /** Changed slots, with their values without leading zeros; zero is an empty array. */
        readonly storage: readonly (readonly [slot: Hash, value: Uint8Array])[]
      }
    | undefined
}

/** The accounts that differ between a state and an earlier one. */
export function differenceOf(earlier: StateRoot, later: StateRoot): readonly AccountDifference[] {
  return [...later.trie.changesSince(earlier.trie)].flatMap(({ before, after }) => {
    if (after !== undefined) return [accountDifference(before, after)]
    return before === undefined ? [] : [{ address: before.address, account: undefined }]
  })
}

function accountDifference(before: AccountEntry | undefined, after: AccountEntry): AccountDifference {
  const { address, nonce, balance, code, codeHash } = after
  const storage = storageDifference(before?.storage ?? EMPTY_STORAGE, after.storage)
  const isSameCode = before === undefined ? code.length === 0 : before.codeHash === codeHash
  return { address, account: { nonce, balance, storage, code: isSameCode ? undefined : code } }
}

function storageDifference(
  before: StorageTrie,
  after: StorageTrie,
): readonly (readonly [Hash, Uint8Array])[] {
  return [...after.changesSince(before)].flatMap((change): (readonly [Hash, Uint8Array])[] => {
    const entry = change.after ?? change.before
    return entry === undefined ? [] : [[entry.slot, change.after?.value ?? EMPTY_BYTES]]
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
  return state.seal()
}
