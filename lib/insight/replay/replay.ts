/** Replays a block, on the state before it, to trace its transactions. */

import { NodeError } from '../../base/errors.ts'
import { nextTurn } from '../../base/host.ts'
import { invariant, present } from '../../base/invariant.ts'
import { finish, waitFor, type Routine } from '../../base/routine.ts'
import { entryBefore, blockContextOf } from '../../chain/ancestors.ts'
import { BlockProcessor } from '../../chain/block-processor.ts'
import type { Block, Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Network } from '../../config/network.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { Engine } from '../../evm/engine.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { systemContracts } from '../../evm/system-contracts.ts'
import { isSystemTransaction } from '../../evm/system-transaction.ts'
import { DEPOSIT_TYPE, isKnownType, type Transaction } from '../../evm/transaction.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { State } from '../../state/state.ts'

export interface ReplayedTransaction {
  readonly block: Block
  readonly receipt: Receipt
  readonly before: StateRoot
  /** The working copy that the transaction runs on. */
  readonly state: State
}

/**
 * Observes the replay of one transaction. The replay pauses between slices even without a hook for them. The next transaction waits
 * for the promise.
 */
export type ReplayTracer = Recorder<Promise<void> | undefined>

export interface ReplaySelection {
  /** Number of the block's transactions to run, from the first one. */
  readonly count: number
  readonly tracerOf: (
    rerun: ReplayedTransaction,
  ) => ReplayTracer | undefined | Promise<ReplayTracer | undefined>
}

export interface Recorder<T> {
  readonly observer: Observer
  readonly end: (outcome: Outcome) => T
}

export interface Recorded<T> {
  readonly receipt: Receipt
  readonly record: T
}

export class Replayer {
  readonly #network: Network
  readonly engine: Engine

  constructor(network: Network, engine: Engine) {
    this.#network = network
    this.engine = engine
  }

  /** Runs a block up to the last wanted transaction, and records the wanted ones. `begin` gets the state before each. */
  async record<T>(
    entry: ChainEntry,
    wants: (receipt: Receipt) => boolean,
    begin: (state: State) => Recorder<T>,
  ): Promise<readonly Recorded<T>[]> {
    return finish(this.recording(entry, wants, begin))
  }

  /** Like `record`. If the state is in memory, it pauses only to let other requests run. */
  *recording<T>(
    entry: ChainEntry,
    wants: (receipt: Receipt) => boolean,
    begin: (state: State) => Recorder<T>,
  ): Routine<readonly Recorded<T>[]> {
    const records: Recorded<T>[] = []
    const last = entry.block.receipts.findLast(wants)
    if (last === undefined) return records
    yield* this.#runOnParent(entry, {
      count: last.index + 1,
      tracerOf: ({ receipt, state }) => {
        if (!wants(receipt)) return undefined
        const { observer, end } = begin(state)
        const keep = (outcome: Outcome): undefined => void records.push({ receipt, record: end(outcome) })
        return { observer, end: keep }
      },
    })
    return records
  }

  async recordOne<T>(
    entry: ChainEntry,
    { index }: Receipt,
    begin: (state: State) => Recorder<T>,
  ): Promise<T> {
    const [recorded] = await this.record(entry, (receipt) => receipt.index === index, begin)
    return present(recorded, 'replayed transaction').record
  }

  async stateAfter(entry: ChainEntry, count: number): Promise<StateRoot> {
    const state = await this.run(entry, { count, tracerOf: () => undefined })
    return state?.commitRoot() ?? entry.state
  }

  /**
   * Runs the first transactions of a block that has a parent, and returns their state. Its root is not computed, which would take
   * longer than a short trace.
   */
  async run(entry: ChainEntry, plan: ReplaySelection): Promise<State | undefined> {
    return finish(this.#runOnParent(entry, plan))
  }

  *#runOnParent(entry: ChainEntry, plan: ReplaySelection): Routine<State | undefined> {
    const parent = yield* waitFor(() => entryBefore(entry))
    if (parent === undefined) return undefined
    // The first run, without tracers, loads the missing parts of a partial state, so that the second one is not interrupted.
    if (parent.state.isPartial) {
      this.#loadAhead(entry.block, parent.state, plan.count)
      yield* waitFor(() => this.#run(entry, parent.state, { ...plan, tracerOf: () => undefined }))
    }
    return yield* this.#run(entry, parent.state, plan)
  }

  /** Begins to load all that the first transactions of a remote block will probably read. */
  #loadAhead({ header, receipts, remote }: Block, { source }: StateRoot, count: number): void {
    if (remote === undefined || source === undefined) return
    const contracts = systemContracts(this.#network).map(({ address }) => address)
    for (const { transaction } of receipts.slice(0, count)) {
      const { sender, to, value, data } = transaction
      void source.expect({ sender, to, value, data, accounts: [header.coinbase, ...contracts] })
    }
    // A failed load is not an error, because what is needed is loaded again.
    const load = async (): Promise<unknown> => finish(() => receipts[0]?.outcome)
    load().catch(() => undefined)
  }

  contextOf(entry: ChainEntry): BlockContext {
    return blockContextOf(entry, this.#network)
  }

  *#run(entry: ChainEntry, before: StateRoot, plan: ReplaySelection): Routine<State> {
    const { block } = entry
    const state = new State(before)
    const context = this.contextOf(entry)
    const input = { ...block.header, state, context, timer: { onSlice: nextTurn } }
    const processor = new BlockProcessor(this.engine, this.#network, input)
    const last = block.receipts.findLast(({ transaction }) => !isSystemTransaction(transaction))
    for (const receipt of block.receipts.slice(0, plan.count)) {
      const rerun = { block, receipt, state, before: state.commitRoot() }
      const tracer = yield* waitFor(() => plan.tracerOf(rerun))
      const { transaction } = receipt
      checkKnownType(block, transaction)
      const again = yield* processor.execute(transaction, { observer: tracer?.observer })
      checkSame(block, receipt, again.outcome)
      if (receipt === last) processor.finalize()
      const ended = tracer?.end(again.outcome)
      if (ended !== undefined) yield* waitFor(ended)
    }
    return state
  }
}

/** Refuses transaction types of other networks. @throws NodeError 'unsupportedTransaction' */
function checkKnownType({ header }: Block, { type, hash }: Transaction): void {
  if (isKnownType(type) || type === DEPOSIT_TYPE) return
  throw new NodeError(
    'unsupportedTransaction',
    `transaction ${hash} of block ${header.number} has type ${type}, which this node cannot run`,
  )
}

/** Checks that a run had the receipt's outcome. @throws NodeError 'executionFailed' for a remote block */
function checkSame({ header, remote }: Block, { transaction, outcome }: Receipt, again: Outcome): void {
  const isSame = again.gasUsed === outcome.gasUsed && again.status === outcome.status
  if (isSame || (remote !== undefined && isSameForRemote(outcome, again))) return
  const difference = `transaction ${transaction.hash} ${outcome.status} with gas ${outcome.gasUsed}, and run again ${again.status} with ${again.gasUsed}`
  invariant(remote !== undefined, difference)
  throw new NodeError(
    'executionFailed',
    `block ${header.number} of the remote cannot be run under the rules of this node: ${difference}`,
  )
}

/** A remote's receipt does not distinguish a revert from an exception, and before Byzantium has no status. */
const isSameForRemote = (outcome: Outcome, again: Outcome): boolean =>
  again.gasUsed === outcome.gasUsed &&
  (outcome.postState !== undefined || (again.status === 'success') === (outcome.status === 'success'))
