/** Counts the cross-checks of a node and keeps their reports. */

import type { CrossCheckReport } from '../../schema/report-results.ts'

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
