/** The newest mined transactions of all chains of a node with their times, also those that a revert has removed since. */

import type { Chain } from '../../chain/chain.ts'
import type { MinedReceipt } from '../../chain/chain-index.ts'
import { isSystemTransaction } from '../../evm/system-transaction.ts'

interface TimedRun {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Undefined on the default chain. */
  readonly world: string | undefined
  readonly mined: MinedReceipt
}

/** Transactions that are kept: a test is rarely longer, and its last ones count. */
const MAX_RUNS = 64

export class RecentRuns {
  readonly #now: () => number
  readonly #runs: TimedRun[] = []

  /** `now`: milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now
  }

  watch(chain: Chain, world: string | undefined): void {
    chain.headChanged.on(({ added }) => {
      const at = this.#now()
      for (const entry of added.slice(-MAX_RUNS))
        for (const receipt of entry.ownReceipts)
          if (!isSystemTransaction(receipt.transaction))
            this.#runs.push({ at, world, mined: { entry, receipt } })
      if (this.#runs.length > 2 * MAX_RUNS) this.#runs.splice(0, this.#runs.length - MAX_RUNS)
    })
  }

  /** Those from a time on, oldest first. */
  since(startMs: number): readonly TimedRun[] {
    return this.#runs.filter(({ at }) => at >= startMs)
  }
}
