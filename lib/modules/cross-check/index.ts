/** Runs each mined block a second time by other code. @example createNode({ crossCheck: true }) fails a send whose results differ. */

import { inGroup, toggle } from '../../config/option-description.ts'
import { readMethod } from '../../kernel/method.ts'
import type { Module, Scope } from '../../kernel/module.ts'
import { CrossCheckResults, MAX_REPORTS, openCrossCheck } from './cross-check.ts'
import { crossCheckResults } from './results.ts'

const crossCheckOptions = inGroup('Output', {
  crossCheck: toggle(
    'Run every mined block a second time, with @ethereumjs/vm on Ethereum networks and with the observed machine on others, and fail the request when a result differs.',
  ),
})

export interface CrossCheckPart {
  /** The findings on all chains of the node. */
  readonly crossChecks: CrossCheckResults
}

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
