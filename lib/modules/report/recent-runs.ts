/** The newest mined transactions of the chains of a node with their times, also those that a revert has removed since. */

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

/** Transactions that are kept of each chain: a test is rarely longer, and its last ones count. */
const MAX_RUNS = 64

export class RecentRuns {
  readonly #now: () => number
  /** A deleted world and its transactions must not stay in memory. */
  #chains: readonly WeakRef<Chain>[] = []
  readonly #runs = new WeakMap<Chain, TimedRun[]>()

  /** `now`: milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now
  }

  watch(chain: Chain, world: string | undefined): void {
    const runs: TimedRun[] = []
    this.#runs.set(chain, runs)
    this.#chains = [...this.#chains.filter((other) => other.deref() !== undefined), new WeakRef(chain)]
    chain.headChanged.on(({ added }) => {
      const at = this.#now()
      for (const entry of added.slice(-MAX_RUNS))
        for (const receipt of entry.ownReceipts)
          if (!isSystemTransaction(receipt.transaction)) runs.push({ at, world, mined: { entry, receipt } })
      if (runs.length > 2 * MAX_RUNS) runs.splice(0, runs.length - MAX_RUNS)
    })
  }

  /** Those from a time on, oldest first. */
  since(startMs: number): readonly TimedRun[] {
    const runs = this.#chains.flatMap((chain) => {
      const watched = chain.deref()
      return (watched && this.#runs.get(watched)) ?? []
    })
    return runs.filter(({ at }) => at >= startMs).sort((one, other) => one.at - other.at)
  }
}
