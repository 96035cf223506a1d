/** Changes between two states in Parity's format (OpenEthereum, rpc/src/v1/types/trace.rs, StateDiff). */

import { toHex, toQuantity, type Address, type Hash, type Hex } from '../../base/hex.ts'
import { EMPTY_STORAGE, type AccountEntry, type AccountFields } from '../../state/account.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { LeafChange } from '../../state/trie-walk.ts'

/** A value that is the same, new, gone or another one. */
type ParityChange =
  | '='
  | { readonly '+': Hex }
  | { readonly '-': Hex }
  | { readonly '*': { readonly from: Hex; readonly to: Hex } }

export type StateDiff = Readonly<Record<Address, ReturnType<typeof accountDiff>>>

/** The changes from one state to a later one. */
export function stateDiff(before: StateRoot, after: StateRoot): StateDiff {
  const diffs: [Address, StateDiff[Address]][] = []
  for (const change of after.trie.changesSince(before.trie)) {
    const address = (change.after ?? change.before)?.address
    if (address === undefined) continue
    const diff = accountDiff(address, [before, after], slotsOf(change))
    const isSame = [diff.balance, diff.code, diff.nonce].every((field) => field === '=')
    if (!isSame || Object.keys(diff.storage).length > 0) diffs.push([address, diff])
  }
  return Object.fromEntries(diffs)
}

function slotsOf({ before, after }: LeafChange<AccountEntry>): readonly Hash[] {
  const [old, now] = [before?.storage ?? EMPTY_STORAGE, after?.storage ?? EMPTY_STORAGE]
  return [...now.changesSince(old)].flatMap((slot) => (slot.after ?? slot.before)?.slot ?? [])
}

function accountDiff(
  address: Address,
  [before, after]: readonly [StateRoot, StateRoot],
  slots: readonly Hash[],
) {
  const [old, now] = [before.account(address), after.account(address)]
  const changeOf = (show: (fields: AccountFields, state: StateRoot) => Hex): ParityChange =>
    changeBetween(old && show(old, before), now && show(now, after))
  return {
    balance: changeOf(({ balance }) => toQuantity(balance)),
    code: changeOf(({ code }) => toHex(code)),
    nonce: changeOf(({ nonce }) => toQuantity(nonce)),
    storage: Object.fromEntries(
      slots.map((slot) => [slot, changeOf((_, state) => state.storageAt(address, slot))]),
    ),
  }
}

function changeBetween(from: Hex | undefined, to: Hex | undefined): ParityChange {
  if (from === to) return '='
  if (from !== undefined && to !== undefined) return { '*': { from, to } }
  if (to !== undefined) return { '+': to }
  return from === undefined ? '=' : { '-': from }
}
