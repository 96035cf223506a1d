/** Compares two executions of a block. */

import { getOrAdd } from '../../base/get-or-add.ts'
import type { Address, Hash } from '../../base/hex.ts'
import { toHex } from '../../base/hex.ts'
import type { Block } from '../../chain/block.ts'
import type { ExecutionDifference } from '../../schema/report-results.ts'
import { EMPTY_ACCOUNT } from '../../state/account.ts'
import { differenceOf } from '../../state/difference.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { Rerun, TransactionResult } from './second-opinion.ts'

/** The differences of a block: of its transactions, of the state after it, and of the block itself. */
export function differencesOf(
  { receipts }: Block,
  states: { readonly before: StateRoot; readonly after: StateRoot },
  { transactions, state, failure }: Rerun,
): readonly ExecutionDifference[] {
  const found = receipts.flatMap(({ transaction, outcome }, index) => {
    const again = transactions[index]
    return again === undefined ? [] : transactionDifferences(transaction.hash, outcome, again)
  })
  if (state !== undefined) found.push(...stateDifferences(states.before, states.after, state))
  if (failure !== undefined) found.push({ kind: 'block', node: 'valid', secondOpinion: failure })
  return found
}

const RESULT_KINDS = ['status', 'gasUsed', 'logs', 'logsBloom', 'returnData', 'contractAddress'] as const

function transactionDifferences(
  transaction: Hash,
  node: TransactionResult,
  again: TransactionResult,
): ExecutionDifference[] {
  const [own, other] = [shownResult(node), shownResult(again)]
  return RESULT_KINDS.filter((kind) => own[kind] !== other[kind]).map((kind) => {
    return { kind, transaction, node: own[kind], secondOpinion: other[kind] }
  })
}

/** The members of a result as texts. */
const shownResult = ({
  status,
  gasUsed,
  logs,
  logsBloom,
  returnData,
  contractAddress,
}: TransactionResult) => ({
  status,
  gasUsed: String(gasUsed),
  logs: JSON.stringify(logs.map(({ address, topics, data }) => [address, topics, toHex(data)])),
  logsBloom: toHex(logsBloom),
  returnData: toHex(returnData),
  contractAddress: contractAddress ?? 'none',
})

/**
 * The accounts and slots in which two states differ, both of them made from an earlier one. Two partial states with different roots
 * may be the same: they differ in which unchanged values they repeat. @throws NotLoadedError
 */
export function stateDifferences(
  before: StateRoot,
  node: StateRoot,
  again: StateRoot,
): readonly ExecutionDifference[] {
  if (node.hash === again.hash) return []
  const found: ExecutionDifference[] = []
  for (const [address, slots] of changedIn(before, [node, again])) {
    const [own, other] = [shownAccount(node, address), shownAccount(again, address)]
    for (const kind of ['nonce', 'balance', 'code'] as const)
      if (own[kind] !== other[kind])
        found.push({ kind, address, node: own[kind], secondOpinion: other[kind] })
    for (const slot of slots) {
      const values = { node: node.storageAt(address, slot), secondOpinion: again.storageAt(address, slot) }
      if (values.node !== values.secondOpinion) found.push({ kind: 'storage', address, slot, ...values })
    }
  }
  if (found.length === 0 && !node.isPartial)
    found.push({ kind: 'stateRoot', node: node.hash, secondOpinion: again.hash })
  return found
}

/** The accounts, and the slots of each, that differ between a state and any of those made from it. */
export function changedIn(
  before: StateRoot,
  states: readonly StateRoot[],
): ReadonlyMap<Address, ReadonlySet<Hash>> {
  const changed = new Map<Address, Set<Hash>>()
  for (const { address, account } of states.flatMap((state) => differenceOf(before, state))) {
    const slots = getOrAdd(changed, address, () => new Set<Hash>())
    for (const [slot] of account?.storage ?? []) slots.add(slot)
  }
  return changed
}

/** The fields of an account as texts; an absent account differs from an empty one only in the state root. */
function shownAccount(state: StateRoot, address: Address) {
  const { nonce, balance, code } = state.account(address) ?? EMPTY_ACCOUNT
  return { nonce: String(nonce), balance: String(balance), code: toHex(code) }
}
