/** Computes the difference between two states and applies it. State files contain such differences. */

import { EMPTY_BYTES, equalBytes, stripZeros, toHash, type Address, type Hash } from '../base/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { AccountDifference, AccountEntry, ChangedFields, StorageTrie } from './account.ts'
import { EMPTY_CODE_HASH, EMPTY_STORAGE } from './account.ts'
import { hashedKey } from './trie-nodes.ts'
import { StateRoot } from './state-root.ts'
import { deletedEntry } from './state-source.ts'

/** An account that differs and was not deleted. */
type ChangedAccount = AccountDifference & { readonly account: ChangedFields }

export function differenceOf(earlier: StateRoot, later: StateRoot): readonly AccountDifference[] {
  // Empty blocks keep their parents' state.
  if (later === earlier) return []
  return [...later.trie.changesSince(earlier.trie)].flatMap(
    ({ before, after, known }): AccountDifference[] => {
      if (after === undefined || after.relation === 'deleted')
        return before?.relation === 'deleted' ? [] : [{ address: known.address, account: undefined }]
      const difference = accountDifference(before, after)
      return isChange(before, difference) ? [difference] : []
    },
  )
}

function accountDifference(before: AccountEntry | undefined, after: AccountEntry): ChangedAccount {
  const { address, nonce, balance, code, codeHash, relation } = after
  const storage = storageDifference(before?.storage ?? EMPTY_STORAGE, after.storage)
  const isSameCode = before === undefined ? code.length === 0 : before.codeHash === codeHash
  const account = { nonce, balance, storage, code: isSameCode ? undefined : code }
  return { address, account: relation === 'continued' ? { ...account, relation } : account }
}

/** Whether an account differs in content: rebuilt states contain copies of the same accounts. */
function isChange(before: AccountEntry | undefined, { account }: ChangedAccount): boolean {
  const { nonce, balance, code, storage, relation } = account
  const isSame = before?.nonce === nonce && before.balance === balance && before.relation === relation
  return !isSame || code !== undefined || storage.length > 0
}

/** The slots that differ. In a partial state, a zero slot differs from an absent one. */
function storageDifference(
  before: StorageTrie,
  after: StorageTrie,
): readonly (readonly [Hash, Uint8Array])[] {
  return [...after.changesSince(before)].flatMap((change): (readonly [Hash, Uint8Array])[] => {
    const isInBoth = change.before !== undefined && change.after !== undefined
    const isSame = isInBoth && equalBytes(change.before.value, change.after.value)
    return isSame ? [] : [[change.known.slot, change.after?.value ?? EMPTY_BYTES]]
  })
}

/** Applies account differences to an earlier state. The source of a partial state is not read. */
export function withDifference(earlier: StateRoot, accounts: readonly AccountDifference[]): StateRoot {
  if (accounts.length === 0) return earlier
  const { source } = earlier
  let { trie } = earlier
  for (const { address, account } of accounts) {
    const key = hashedKey(address)
    if (account !== undefined) trie = trie.put(key, changedEntry(trie.get(key), address, account))
    else trie = source === undefined ? trie.delete(key) : trie.put(key, deletedEntry(address))
  }
  return new StateRoot(trie, source)
}

function codeHashOf(before: AccountEntry | undefined, code: Uint8Array): Hash {
  if (code.length === 0) return EMPTY_CODE_HASH
  return code === before?.code ? before.codeHash : toHash(keccak256(code))
}

function changedEntry(
  before: AccountEntry | undefined,
  address: Address,
  { nonce, balance, code = before?.code ?? EMPTY_BYTES, storage, relation }: ChangedFields,
): AccountEntry {
  const codeHash = codeHashOf(before, code)
  const written = storage.map(([slot, bytes]) => {
    return { key: hashedKey(slot), value: { slot, value: stripZeros(bytes) } }
  })
  const isAbsent = ({ value: { value } }: (typeof written)[number]): boolean =>
    value.length === 0 && relation === undefined
  const kept = written.filter((entry) => !isAbsent(entry))
  const removed = written.filter(isAbsent)
  const slots = removed.reduce((trie, { key }) => trie.delete(key), before?.storage ?? EMPTY_STORAGE)
  const entry = { address, nonce, balance, code, codeHash, storage: slots.putAll(kept) }
  return relation === undefined ? entry : { ...entry, relation }
}
