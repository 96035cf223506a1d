/** The newest mined transactions of chains with their times, including those that a revert has removed. */

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

/** Maximum number of kept transactions. A test is rarely longer, and its last ones count. */
const MAX_RUNS = 64

/** The transactions of one chain. They disappear with a deleted world. */
export class RecentRuns {
  readonly #runs: TimedRun[] = []

  constructor(chain: Chain, world: string | undefined, now: () => number) {
    const runs = this.#runs
    chain.headChanged.on(({ added }) => {
      const at = now()
      for (const entry of added.slice(-MAX_RUNS))
        for (const receipt of entry.ownReceipts)
          if (!isSystemTransaction(receipt.transaction)) runs.push({ at, world, mined: { entry, receipt } })
      if (runs.length > MAX_RUNS) runs.splice(0, runs.length - MAX_RUNS)
    })
  }

  /** Transactions since a time, oldest first. */
  since(startMs: number): readonly TimedRun[] {
    return this.#runs.filter(({ at }) => at >= startMs)
  }
}

/** The transactions of a chain since a time. The default chain includes those of all worlds. */
export function runsSince(
  startMs: number,
  { worldId, recentRuns, allChains }: RunChains,
): readonly TimedRun[] {
  if (worldId !== undefined) return recentRuns.since(startMs)
  return allChains().flatMap((chain) =>
    'recentRuns' in chain && chain.recentRuns instanceof RecentRuns ? chain.recentRuns.since(startMs) : [],
  )
}

export interface RunChains {
  readonly worldId: string | undefined
  readonly recentRuns: RecentRuns
  /** The default chain and all worlds, each with its part of this module. */
  readonly allChains: () => readonly object[]
}
