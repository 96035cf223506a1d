/** Findings of the cross-checks of the node (option crossCheck). */

import { MAX_REPORTS } from '../../cross-check/results.ts'
import { crossCheckResults } from '../../schema/cross-check-results.ts'
import { method } from '../method.ts'

export const crossChecks = method({
  name: 'dev_crossChecks',
  summary: `How many blocks and transactions of all chains of the node were run a second time under the option crossCheck, how many blocks differed, and reports of the newest ${MAX_REPORTS} of them, newest first. A report has what is needed to repeat both executions: state before the block, transactions, and both outcomes.`,
  result: crossCheckResults,
  example: { params: [], result: { blocks: 0, transactions: 0, failures: 0, reports: [] } },
  run: (_args, { crossChecks: { blocks, transactions, failures, reports } }) => ({
    blocks,
    transactions,
    failures,
    reports,
  }),
})
