/** Explains executions: outcome, reason of a failure, Solidity stack, calls, and changes of the state. */

import { toQuantity } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import { finish, type Routine } from '../../base/routine.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { CallTimer, Observer } from '../../evm/observer.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { ExplanationResult, StateChanges } from '../../schema/explanation-results.ts'
import type { State } from '../../state/state.ts'
import type { Recorder, Replayer } from '../replay/replay.ts'
import { AccountContracts } from './account-contract.ts'
import { FrameRecorder } from './executed-frame.ts'
import { explainCall, largestGasSpent, shownReason, type KnownContracts } from './explained-call.ts'
import { implementationsIn, type Implementations } from './implementations.ts'
import { explainFailure, type ExplainedFailure } from './solidity-stack.ts'
import { ChangeRecorder, transferIn } from './state-changes.ts'

/** Runs calls in sequence, with an observer for each position. */
export type ObservedCalls = (observerOf: (position: number) => Observer) => Routine<unknown>

/** Failures by the index of the transaction or the position of the call; undefined after a success. */
export type ExplainedFailures = ReadonlyMap<number, ExplainedFailure | undefined>

export class Explainer {
  readonly #replayer: Replayer
  readonly #contracts: KnownContracts

  constructor(replayer: Replayer, contracts: KnownContracts) {
    this.#replayer = replayer
    this.#contracts = contracts
  }

  /** The contracts of accounts, as far as they are known now. */
  async accountContracts(): Promise<AccountContracts> {
    await this.#contracts.refresh()
    return new AccountContracts(this.#contracts)
  }

  /** Explains a mined transaction by executing it again. */
  async transaction(entry: ChainEntry, receipt: Receipt): Promise<ExplanationResult> {
    await this.#contracts.refresh()
    const record = (state: State) => recordExecution(this.#contracts, state)
    const explanation = await this.#contracts.withSources(() =>
      this.#replayer.recordOne(entry, receipt, record),
    )
    const { coinbase } = entry.block.header
    // The miner's fees are not an effect of the transaction, unless the miner takes part in it.
    const isParty = ({ address }: { readonly address: string }): boolean =>
      address !== coinbase || JSON.stringify(explanation.call).includes(address)
    return { ...explanation, balances: explanation.balances.filter(isParty) }
  }

  /** Explains a simulated call, which may be prepared several times. */
  async call(prepare: () => PreparedCall, timer: CallTimer): Promise<ExplanationResult> {
    await this.#contracts.refresh()
    return this.#contracts.withSources(async () => {
      const call = prepare()
      const { observer, end } = recordExecution(this.#contracts, call.state)
      return end(await finish(this.#simulate(call, observer, timer)))
    })
  }

  /** Explains failed transactions of a block by executing it again up to the last of them. */
  *failedTransactions(entry: ChainEntry, indexes: readonly number[]): Routine<ExplainedFailures> {
    const records = yield* this.#replayer.recording(
      entry,
      ({ index }) => indexes.includes(index),
      () => recordFrames(this.#contracts),
    )
    return new Map(records.map(({ receipt, record }) => [receipt.index, record]))
  }

  /** Explains the failure of a simulated call; undefined after a success. */
  *failedCall(call: PreparedCall, timer: CallTimer): Routine<ExplainedFailure | undefined> {
    const { observer, end } = recordFrames(this.#contracts)
    yield* this.#simulate(call, observer, timer)
    return end()
  }

  /** Explains failed calls of a simulation by running it again. */
  *failedCalls(
    positions: ReadonlySet<number>,
    simulate: ObservedCalls,
    { onSlice }: CallTimer,
  ): Routine<ExplainedFailures> {
    const ends = new Map<number, () => ExplainedFailure | undefined>()
    const observerOf = (position: number): Observer => {
      if (!positions.has(position)) return { onSlice }
      const { observer, end } = recordFrames(this.#contracts)
      ends.set(position, end)
      return { ...observer, onSlice }
    }
    yield* simulate(observerOf)
    return new Map([...ends].map(([position, end]) => [position, end()]))
  }

  #simulate({ state, context, message }: PreparedCall, observer: Observer, { onSlice }: CallTimer) {
    const { engine } = this.#replayer
    return engine.simulate(state, engine.open(context), message, { ...observer, onSlice })
  }
}

function recordFrames({ contractOf, errorText }: KnownContracts) {
  const frames = new FrameRecorder(contractOf)
  return { observer: frames.observer, end: () => explainFailure(frames.root, errorText) }
}

function recordExecution(contracts: KnownContracts, state: State): Recorder<ExplanationResult> {
  const frames = new FrameRecorder(contracts.contractOf)
  const { onBalanceChange, onStorageChange, changesIn } = new ChangeRecorder()
  let changes: StateChanges | undefined
  let implementations: Implementations = new Map()
  const onTransactionEnd = (): void => {
    changes = changesIn(state, frames.root)
    implementations = implementationsIn(frames.root, contracts, state)
  }
  return {
    observer: { ...frames.observer, onBalanceChange, onStorageChange, onTransactionEnd },
    end: ({ status, gasUsed, logs }) => {
      const failure = explainFailure(frames.root, contracts.errorText)
      const call = explainCall(frames.root, { ...contracts, implementations })
      return {
        status,
        gasUsed: toQuantity(gasUsed),
        reason: failure && shownReason(failure.reason),
        stack: failure?.stack,
        gasSpent: failure?.reason.kind === 'out of gas' ? largestGasSpent(call) : undefined,
        call,
        ...present(changes, 'changes of an execution'),
        tokens: logs.map(transferIn).filter((transfer) => transfer !== undefined),
      }
    },
  }
}
