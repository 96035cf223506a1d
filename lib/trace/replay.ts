/** Runs blocks of the chain again, on the state before them. What is watched meanwhile is the tracers' business. */

import { nextTurn } from '../base/host.ts'
import { invariant } from '../base/invariant.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain.ts'
import { ZERO_HASH } from '../chain/header.ts'
import { contextOf } from '../chain/past-context.ts'
import type { Network } from '../config/network.ts'
import type { Engine } from '../evm/engine.ts'
import type { Observer } from '../evm/observer.ts'
import type { Outcome } from '../evm/outcome.ts'
import { creditFees } from '../evm/precompiles/network-33/fee-contract.ts'
import { recordBlock, systemContracts } from '../evm/system-contracts.ts'
import { isSystemTransaction } from '../evm/system-transaction.ts'
import type { StateRoot } from '../state/state-root.ts'
import { State } from '../state/state.ts'

/** A transaction that is about to run again. */
export interface Rerun {
  readonly block: Block
  readonly receipt: Receipt
  /** The state before it. */
  readonly before: StateRoot
  /** The working copy it runs on. */
  readonly state: State
}

/** Somebody who watches a transaction. */
export interface Watch {
  readonly observer: Observer
  /** Called with what became of the transaction; the next one waits. */
  readonly end: (outcome: Outcome) => Promise<void> | undefined
}

/** Which transactions are run again, and who watches each of them. */
export interface ReplayPlan {
  /** How many, counted from the first. */
  readonly count: number
  readonly watch: (rerun: Rerun) => Watch | undefined
}

/** What blocks are run again with. */
export interface ReplayerParts {
  readonly network: Network
  readonly engine: Engine
}

/** Runs blocks again. Nobody waits for a trace, and a trace for nobody. */
export class Replayer {
  readonly #parts: ReplayerParts

  constructor(parts: ReplayerParts) {
    this.#parts = parts
  }

  get engine(): Engine {
    return this.#parts.engine
  }

  /** Runs the first transactions of a block; answers the state after them. */
  async run(entry: ChainEntry, plan: ReplayPlan): Promise<StateRoot> {
    const { block, parent } = entry
    if (parent === undefined) return entry.state
    const state = new State(parent.state)
    recordBlock(state, systemContracts(this.#parts.network), {
      ...block.header,
      parentBeaconBlockRoot: block.header.parentBeaconBlockRoot ?? ZERO_HASH,
    })
    const { engine } = this.#parts
    const running = engine.open(contextOf(entry, this.#parts.network))
    const last = block.receipts.findLast(({ transaction }) => !isSystemTransaction(transaction))
    for (const receipt of block.receipts.slice(0, plan.count)) {
      const { transaction } = receipt
      const watch = plan.watch({ block, receipt, state, before: state.seal() })
      const outcome =
        watch === undefined
          ? engine.execute(state, running, transaction)
          : await engine.watch(state, running, transaction, watch.observer)
      checkSame(receipt, outcome)
      if (receipt === last) this.#collectFees(state, block)
      await watch?.end(outcome)
      await nextTurn()
    }
    return state.seal()
  }

  /** As at the end of a block that is made: the system transaction pays out of what the others paid. */
  #collectFees(state: State, { header }: Block): void {
    if (this.engine.rules.transaction.feesGoTo === 'contract') creditFees(state, header.paidFees)
  }
}

function checkSame({ transaction, outcome }: Receipt, again: Outcome): void {
  invariant(
    again.gasUsed === outcome.gasUsed && again.status === outcome.status,
    `transaction ${transaction.hash} ${outcome.status} with gas ${outcome.gasUsed}, and run again ${again.status} with ${again.gasUsed}`,
  )
}
