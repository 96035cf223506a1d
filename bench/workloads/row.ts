/** A row of the table. */

import type { Measurement, NodeSession } from '../session.ts'

/** Something that is measured on every node. */
export interface Row {
  readonly name: string
  /**
   * Absent if it shares the process of a round with other rows. `step traces`: in every round, a fresh process that traces
   * step by step. `fresh`: once, a fresh process.
   */
  readonly process?: 'fresh' | 'step traces'
  /** Whether it measures memory, which other processes do not disturb. */
  readonly isMemory?: boolean
  /** Measures it, and throws if an answer is wrong. */
  readonly measure: (session: NodeSession) => Promise<Measurement>
}
