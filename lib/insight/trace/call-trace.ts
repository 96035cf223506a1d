/** Traces an execution in Parity's format: its output, its calls as a flat list, and its changes of the state. */

import { toHex, toQuantity, type Address, type Hash, type Hex } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { EMPTY_STORAGE, type AccountEntry, type AccountFields } from '../../state/account.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { State } from '../../state/state.ts'
import type { LeafChange } from '../../state/trie-walk.ts'
import { CallTree } from './call-tree.ts'
import { parityItems } from './flat.ts'

/** Parts of a trace that a request can choose. */
export type TracePart = 'trace' | 'stateDiff'

/** A trace (OpenEthereum, TraceResults). Parts that are not wanted are empty or null. */
export interface CallTrace {
  readonly output: Hex
  readonly stateDiff: StateDiff | null
  readonly trace: readonly object[]
  readonly vmTrace: null
}

/** Runs executions, calls or transactions, that leave their effects in a state. */
export interface Runner<T> {
  readonly state: State
  run(
    execution: T,
    observer: Observer,
  ): Routine<{ readonly transaction: Transaction; readonly outcome: Outcome }>
}

/** What to run, and the parts of its trace. */
export interface TraceRequest<T> {
  readonly execution: T
  readonly parts: readonly TracePart[]
}

/** Runs and traces an execution. */
export function* traceRun<T>(
  runner: Runner<T>,
  { execution, parts }: TraceRequest<T>,
  timer: Observer,
): Routine<CallTrace> {
  const tree = new CallTree()
  const before = runner.state.commitRoot()
  const { transaction, outcome } = yield* runner.run(execution, { ...tree.observer, ...timer })
  return {
    output: toHex(outcome.returnData),
    stateDiff: parts.includes('stateDiff') ? stateDiff(before, runner.state.commitRoot()) : null,
    trace: parts.includes('trace') ? parityItems(tree.root, transaction, outcome) : [],
    vmTrace: null,
  }
}

/** A value that is the same, new, gone or another one. */
type ParityChange =
  | '='
  | { readonly '+': Hex }
  | { readonly '-': Hex }
  | { readonly '*': { readonly from: Hex; readonly to: Hex } }

type StateDiff = Readonly<Record<Address, ReturnType<typeof accountDiff>>>

/** The changes from one state to a later one (OpenEthereum, rpc/src/v1/types/trace.rs, StateDiff). */
function stateDiff(before: StateRoot, after: StateRoot): StateDiff {
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
