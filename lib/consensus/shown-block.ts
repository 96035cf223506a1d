/** Input of the fields of the block object that only some networks have. */

import type { Header } from './header-fields.ts'
import type { Withdrawal } from './withdrawals.ts'

/** The parts of a block from which the fields of `BlockMembers` are rendered. */
export interface ShownBlock {
  readonly header: Header
  readonly withdrawals?: readonly Withdrawal[] | undefined
  /** Sum of the difficulties of the block and its uncles. */
  readonly cumulativeDifficulty: bigint
}
