/** Replays a block, on the state before it, to trace its transactions. */

import { nextTurn } from '../base/host.ts'
import { invariant } from '../base/invariant.ts'
import { runWithPauses } from '../base/routine.ts'
import { BlockProcessor } from '../chain/block-processor.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import { blockContextOf } from '../chain/past-context.ts'
import type { Network } from '../config/network.ts'
import type { Engine } from '../evm/engine.ts'
import type { Observer } from '../evm/observer.ts'
import type { Outcome } from '../evm/outcome.ts'
import { isSystemTransaction } from '../evm/system-transaction.ts'
import type { StateRoot } from '../state/state-root.ts'
import { State } from '../state/state.ts'

/** A transaction that is about to be replayed. */
export interface ReplayedTransaction {
  readonly block: Block
  readonly receipt: Receipt
  /** The state before the transaction. */
  readonly before: StateRoot
  /** The working copy that the transaction runs on. */
  readonly state: State
}

/** Observes the replay of one transaction. */
export interface ReplayTracer {
  readonly observer: Observer
  /** Called with the outcome of the transaction. The next transaction waits for the promise. */
  readonly end: (outcome: Outcome) => Promise<void> | undefined
}

/** The transactions to replay, and the observer of each. */
export interface ReplaySelection {
  /** Number of transactions, from the first one of the block. */
  readonly count: number
  readonly tracerOf: (rerun: ReplayedTransaction) => ReplayTracer | undefined
}

/** Dependencies of a replayer. */
export interface ReplayerDependencies {
  readonly network: Network
  readonly engine: Engine
}

/** Replays blocks to trace their transactions. */
export class Replayer {
  readonly #dependencies: ReplayerDependencies

  constructor(dependencies: ReplayerDependencies) {
    this.#dependencies = dependencies
  }

  get engine(): Engine {
    return this.#dependencies.engine
  }

  /** Runs the first transactions of a block; returns the state after them. */
  async run(entry: ChainEntry, plan: ReplaySelection): Promise<StateRoot> {
    const { block, parent } = entry
    if (parent === undefined) return entry.state
    const { engine, network } = this.#dependencies
    const state = new State(parent.state)
    const context = blockContextOf(entry, network)
    const processor = new BlockProcessor(engine, network, { ...block.header, state, context })
    const last = block.receipts.findLast(({ transaction }) => !isSystemTransaction(transaction))
    for (const receipt of block.receipts.slice(0, plan.count)) {
      const tracerOf = plan.tracerOf({ block, receipt, state, before: state.commitRoot() })
      const { transaction } = receipt
      const again = await runWithPauses(processor.execute(transaction, { observer: tracerOf?.observer }))
      checkSame(receipt, again.outcome)
      if (receipt === last) processor.finalize()
      await tracerOf?.end(again.outcome)
      await nextTurn()
    }
    return state.commitRoot()
  }
}

function checkSame({ transaction, outcome }: Receipt, again: Outcome): void {
  invariant(
    again.gasUsed === outcome.gasUsed && again.status === outcome.status,
    `transaction ${transaction.hash} ${outcome.status} with gas ${outcome.gasUsed}, and run again ${again.status} with ${again.gasUsed}`,
  )
}
