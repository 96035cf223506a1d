/** What the cross-checks of a node have found. */

import type { CrossCheckReport } from './report.ts'

/** Maximum number of kept reports; each may have megabytes of code. */
export const MAX_REPORTS = 20

/** What the cross-checks of a node have found so far. */
export class CrossCheckResults {
  #blocks = 0
  #transactions = 0
  #failures = 0
  #reports: readonly CrossCheckReport[] = []

  /** Number of blocks that were run twice. */
  get blocks(): number {
    return this.#blocks
  }

  /** Number of transactions that were run twice. */
  get transactions(): number {
    return this.#transactions
  }

  /** Number of blocks with a difference. */
  get failures(): number {
    return this.#failures
  }

  /** Reports of the newest differences, newest first. */
  get reports(): readonly CrossCheckReport[] {
    return this.#reports
  }

  /** Counts a block, with a report if there was a difference. */
  add(transactions: number, report?: CrossCheckReport): void {
    this.#blocks++
    this.#transactions += transactions
    if (report === undefined) return
    this.#failures++
    this.#reports = [report, ...this.#reports].slice(0, MAX_REPORTS)
  }
}
