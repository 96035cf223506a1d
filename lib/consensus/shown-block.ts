/** The parts of a block that answers have only on some networks. */

import type { Header } from './header-fields.ts'
import type { Withdrawal } from './withdrawals.ts'

/** The parts of a block that answers have only on some networks. */
export interface ShownBlock {
  readonly header: Header
  readonly withdrawals?: readonly Withdrawal[] | undefined
  /** Sum of the difficulties of the block and its uncles. */
  readonly cumulativeDifficulty: bigint
}
