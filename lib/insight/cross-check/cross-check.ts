/** Runs each mined block a second time by other code, and refuses it when the results differ (option crossCheck). */

import { lazyPart } from '../../base/lazy-part.ts'
import { untilLoaded } from '../../base/loading.ts'
import { waitFor } from '../../base/routine.ts'
import type { Routine } from '../../base/routine.ts'
import { entryBefore } from '../../chain/ancestors.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import { consensusOf } from '../../networks/consensus/consensus-of.ts'
import type { Network } from '../../config/network.ts'
import type { Engine } from '../../evm/engine.ts'
import type { CrossCheckReport } from '../../schema/report-results.ts'
import { crossCheckError, reportOf, differencesOf } from './differences.ts'
import type { SecondOpinion } from './second-opinion.ts'

/** Checks the blocks of one network. */
export class CrossCheck {
  readonly results: CrossCheckResults
  readonly #network: Network
  readonly #secondOpinion: SecondOpinion

  private constructor(network: Network, secondOpinion: SecondOpinion, results: CrossCheckResults) {
    this.#network = network
    this.#secondOpinion = secondOpinion
    this.results = results
  }

  /** Loads the second opinion on a network. @throws NodeError 'invalidOption' for a network that it does not know */
  static async open(network: Network, engine: Engine, results: CrossCheckResults): Promise<CrossCheck> {
    const open = OPENERS[consensusOf(network).secondOpinion]
    return new CrossCheck(network, await open(network, engine), results)
  }

  /** Runs a block a second time. @throws NodeError 'crossCheckFailed' when a result differs */
  *check(entry: ChainEntry): Routine<void> {
    const report = yield* waitFor(untilLoaded(() => this.#compare(entry)))
    this.results.add(entry.block.receipts.length, report)
    if (report !== undefined) throw crossCheckError(report)
  }

  async #compare(entry: ChainEntry): Promise<CrossCheckReport | undefined> {
    const before = entryBefore(entry)?.state
    if (before === undefined) return undefined
    const rerun = await this.#secondOpinion.rerun(entry, before)
    const differences = differencesOf(entry.block, { before, after: entry.state }, rerun)
    if (differences.length === 0) return undefined
    const { name: secondOpinion } = this.#secondOpinion
    return reportOf({ entry, before, network: this.#network, secondOpinion, rerun, differences })
  }
}

const loadEthereumjs = lazyPart('@ethereumjs/vm', () => import('./ethereumjs/ethereumjs.ts'))
const loadObserved = lazyPart('cross-checks', () => import('./observed-execution.ts'))

const OPENERS = {
  ethereumjs: async (network: Network, { rules }: Engine) =>
    (await loadEthereumjs()).ethereumjs(network, rules),
  observed: async (network: Network, engine: Engine) =>
    (await loadObserved()).observedExecution(network, engine),
}

/** Maximum number of kept reports; each may have megabytes of code. */
export const MAX_REPORTS = 20

/** The findings of the cross-checks so far. */
export class CrossCheckResults {
  /** Number of blocks that were run twice. */
  blocks = 0
  /** Number of transactions that were run twice. */
  transactions = 0
  /** Number of blocks with a difference. */
  failures = 0
  /** Reports of the newest differences, newest first. */
  reports: readonly CrossCheckReport[] = []

  /** Counts a block, with a report if there was a difference. */
  add(transactions: number, report?: CrossCheckReport): void {
    this.blocks++
    this.transactions += transactions
    if (report === undefined) return
    this.failures++
    this.reports = [report, ...this.reports].slice(0, MAX_REPORTS)
  }
}
