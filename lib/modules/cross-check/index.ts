/** Runs each mined block a second time by other code. @example createNode({ crossCheck: true }) fails a send whose results differ. */

import { lazyPart } from '../../base/lazy-part.ts'
import { waitFor } from '../../base/routine.ts'
import { entryBefore } from '../../chain/ancestors.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Network } from '../../config/network.ts'
import { inGroup, toggle } from '../../config/option-description.ts'
import type { Engine } from '../../evm/engine.ts'
import { readMethod } from '../../kernel/method.ts'
import type { Module, Scope, BlockCheck } from '../../kernel/module.ts'
import { crossCheckError, reportOf, differencesOf } from './differences.ts'
import { crossCheckResults, type CrossCheckReport } from './results.ts'

const crossCheckOptions = inGroup('Output', {
  crossCheck: toggle(
    'Run every mined block a second time, with @ethereumjs/vm on Ethereum networks and step by step with the own machine on others, and fail the request when a result differs.',
  ),
})

interface CrossCheckPart {
  /** The findings on all chains of the node. */
  readonly crossChecks: CrossCheckResults
}

/** Maximum number of kept reports; each may have megabytes of code. */
const MAX_REPORTS = 20

const crossChecks = readMethod({
  name: 'dev_crossChecks',
  summary: `How many blocks and transactions of all chains of the node were run a second time under the option crossCheck, how many blocks differed, and reports of the newest ${MAX_REPORTS} of them, newest first. A report has what is needed to repeat both executions: state before the block, transactions, and both outcomes.`,
  result: crossCheckResults,
  example: { params: [], result: { blocks: 0, transactions: 0, failures: 0, reports: [] } },
  run: (_, { crossChecks: { blocks, transactions, failures, reports } }: CrossCheckPart) => {
    return { blocks, transactions, failures, reports }
  },
})

export const crossCheck = {
  name: 'cross-checks',
  options: crossCheckOptions,
  start: () => ({ crossChecks: new CrossCheckResults() }),
  methods: [crossChecks],
  blockCheck: async ({ options, crossChecks: results }, network, engine) =>
    options.crossCheck ? openCrossCheck(network, engine, results) : undefined,
} as const satisfies Module<Scope<typeof crossCheckOptions>, CrossCheckPart>

/**
 * The check of the blocks of a network, which throws NodeError 'crossCheckFailed' when a result differs.
 * @throws NodeError 'invalidOption' for a network that the second opinion does not know
 */
export async function openCrossCheck(
  network: Network,
  engine: Engine,
  results: CrossCheckResults,
): Promise<BlockCheck> {
  const { name: secondOpinion, rerun } = await OPENERS[network.kind.consensus.secondOpinion](network, engine)
  const compare = async (entry: ChainEntry): Promise<CrossCheckReport | undefined> => {
    const before = entryBefore(entry)?.state
    if (before === undefined) return undefined
    const again = await rerun(entry, before)
    const differences = differencesOf(entry.block, { before, after: entry.state }, again)
    if (differences.length === 0) return undefined
    return reportOf({ entry, before, network, secondOpinion, rerun: again, differences })
  }
  return function* (entry) {
    const report = yield* waitFor(() => compare(entry))
    results.add(entry.block.receipts.length, report)
    if (report !== undefined) throw crossCheckError(report)
  }
}

const loadEthereumjs = lazyPart('@ethereumjs/vm', () => import('./ethereumjs/ethereumjs.ts'))
const loadObserved = lazyPart('cross-checks', () => import('./second-opinion.ts'))

const OPENERS = {
  ethereumjs: async (network: Network, { rules }: Engine) =>
    (await loadEthereumjs()).ethereumjs(network, rules),
  observed: async (network: Network, engine: Engine) =>
    (await loadObserved()).observedExecution(network, engine),
}

/** The findings of the cross-checks so far. */
export class CrossCheckResults {
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
