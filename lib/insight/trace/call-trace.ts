/** Traces an execution in Parity's format: its output, its calls as a flat list, and its changes of the state. */

import { toHex, type Hex } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { State } from '../../state/state.ts'
import { CallTree } from './call-tree.ts'
import { parityItems } from './flat.ts'
import { stateDiff, type StateDiff } from './state-diff.ts'

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
