/** Explains executions: outcome, reason of a failure, Solidity stack, calls, and changes of the state. */

import type { Address } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import { runWithPauses } from '../../base/routine.ts'
import type { Routine } from '../../base/routine.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { State } from '../../state/state.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { Replayer } from '../trace/replay.ts'
import { contractOfAccount, sourcesOfAccount, variablesOfAccount, findContracts } from './account-contract.ts'
import type { AccountContract, ContractSearch } from './account-contract.ts'
import type { ListedSource } from './source-list.ts'
import type { StoredVariables } from './stored-variables.ts'
import { FrameRecorder } from './executed-frame.ts'
import { explainCall, largestGasSpent } from './explained-call.ts'
import type { ExplainedCall, FunctionGasSpent } from './explained-call.ts'
import { implementationsIn } from './implementations.ts'
import type { Implementations } from './implementations.ts'
import type { KnownContracts } from './known-contracts.ts'
import { explainFailure } from './solidity-stack.ts'
import type { ExplainedFailure } from './solidity-stack.ts'
import { ChangeRecorder, transferIn } from './state-changes.ts'
import type { StateChanges, TokenTransfer } from './state-changes.ts'

/** The explanation of one execution. */
export interface Explanation extends StateChanges {
  readonly outcome: Outcome
  /** Undefined after a success. */
  readonly failure: ExplainedFailure | undefined
  /** The functions with the largest use of gas; undefined unless it ran out, or if calls are left out. */
  readonly gasSpent: readonly FunctionGasSpent[] | undefined
  /** The outermost call. */
  readonly call: ExplainedCall
  readonly transfers: readonly TokenTransfer[]
}

/** Runs calls on top of each other, with an observer for each position. */
export type ObservedCalls = (observerOf: (position: number) => Observer) => Routine<unknown>

/** Explains transactions and calls. */
export class Explainer {
  readonly #replayer: Replayer
  readonly #contracts: KnownContracts

  constructor(replayer: Replayer, contracts: KnownContracts) {
    this.#replayer = replayer
    this.#contracts = contracts
  }

  /** Explains a mined transaction, which is executed again. */
  async transaction(entry: ChainEntry, receipt: Receipt): Promise<Explanation> {
    await this.#contracts.refresh()
    return this.#replayer.recordOne(entry, receipt, (state) => {
      const recording = new Recording(this.#contracts, state)
      return { observer: recording.observer, end: (outcome) => recording.explain(outcome) }
    })
  }

  /** Explains how transactions of a block failed, by their index. The block is executed again up to the last of them. */
  async failedTransactions(
    entry: ChainEntry,
    indexes: readonly number[],
  ): Promise<ReadonlyMap<number, ExplainedFailure>> {
    const records = await this.#replayer.record(
      entry,
      ({ index }) => indexes.includes(index),
      () => recordFrames(this.#contracts),
    )
    return new Map(
      records.flatMap(({ receipt, record }) => (record === undefined ? [] : [[receipt.index, record]])),
    )
  }

  /** Explains how a simulated call fails; undefined if it does not. */
  async failedCall(
    { state, context, message }: PreparedCall,
    { onSlice }: Pick<Observer, 'onSlice'>,
  ): Promise<ExplainedFailure | undefined> {
    const { observer, end } = recordFrames(this.#contracts)
    const { engine } = this.#replayer
    await runWithPauses(engine.simulate(state, engine.open(context), message, { ...observer, onSlice }))
    return end()
  }

  /** Explains how calls of a simulation fail, by their positions. The simulation runs again. */
  async failedCalls(
    positions: ReadonlySet<number>,
    simulate: ObservedCalls,
    { onSlice }: Pick<Observer, 'onSlice'>,
  ): Promise<ReadonlyMap<number, ExplainedFailure>> {
    const ends = new Map<number, () => ExplainedFailure | undefined>()
    const observerOf = (position: number): Observer => {
      if (!positions.has(position)) return { onSlice }
      const { observer, end } = recordFrames(this.#contracts)
      ends.set(position, end)
      return { ...observer, onSlice }
    }
    await runWithPauses(simulate(observerOf))
    const failures = new Map<number, ExplainedFailure>()
    for (const [position, end] of ends) {
      const failure = end()
      if (failure !== undefined) failures.set(position, failure)
    }
    return failures
  }

  /** The contract of an account; undefined if it is not known. */
  async contractAt(address: Address, state: StateRoot): Promise<AccountContract | undefined> {
    await this.#contracts.refresh()
    return contractOfAccount(address, this.#contracts, state)
  }

  /** The contracts of a state that match a text. */
  async findContracts(text: string, state: StateRoot, limit: number): Promise<ContractSearch> {
    await this.#contracts.refresh()
    return findContracts(text, this.#contracts, state, limit)
  }

  /** The sources of the contract of an account, and of the one behind a proxy; undefined if none are known. */
  async sourcesAt(address: Address, state: StateRoot): Promise<readonly ListedSource[] | undefined> {
    await this.#contracts.refresh()
    return sourcesOfAccount(address, this.#contracts, state)
  }

  /** The state variables of an account, and the values of mappings at some keys; undefined without a known layout. */
  async variablesAt(
    address: Address,
    state: StateRoot,
    keys: readonly bigint[],
  ): Promise<StoredVariables | undefined> {
    await this.#contracts.refresh()
    return variablesOfAccount(address, this.#contracts, { state, keys })
  }

  /** Explains a simulated call. */
  async call(
    { state, context, message }: PreparedCall,
    timer: Pick<Observer, 'onSlice'>,
  ): Promise<Explanation> {
    await this.#contracts.refresh()
    const recording = new Recording(this.#contracts, state)
    const { engine } = this.#replayer
    const observer = { ...recording.observer, onSlice: timer.onSlice }
    const outcome = await runWithPauses(engine.simulate(state, engine.open(context), message, observer))
    return recording.explain(outcome)
  }
}

/** Records no more of an execution than its failure is explained from. */
function recordFrames(contracts: KnownContracts) {
  const frames = new FrameRecorder(contracts.contractOf)
  const { onEnter, onExit, onBlocks } = frames
  return {
    observer: { onEnter, onExit, onBlocks },
    end: () => explainFailure(frames.root, contracts.errorText),
  }
}

/** Records one execution. */
class Recording {
  readonly #contracts: KnownContracts
  readonly #frames: FrameRecorder
  #changes: StateChanges | undefined
  #implementations: Implementations = new Map()
  readonly observer: Observer

  constructor(contracts: KnownContracts, state: State) {
    this.#contracts = contracts
    this.#frames = new FrameRecorder(contracts.contractOf)
    const changes = new ChangeRecorder()
    const { onEnter, onExit, onBlocks, onLog } = this.#frames
    const { onBalanceChange, onStorageChange } = changes
    this.observer = {
      onEnter,
      onExit,
      onBlocks,
      onLog,
      onBalanceChange,
      onStorageChange,
      onTransactionEnd: () => {
        const { root } = this.#frames
        this.#changes = changes.changesIn(state, root)
        this.#implementations = implementationsIn(root, contracts, state)
      },
    }
  }

  explain(outcome: Outcome): Explanation {
    const { root } = this.#frames
    const failure = explainFailure(root, this.#contracts.errorText)
    const call = explainCall(root, { ...this.#contracts, implementations: this.#implementations })
    return {
      outcome,
      failure,
      gasSpent: failure?.reason.kind === 'out of gas' ? largestGasSpent(call) : undefined,
      call,
      ...present(this.#changes, 'changes of an execution'),
      transfers: outcome.logs.map(transferIn).filter((transfer) => transfer !== undefined),
    }
  }
}
