/** The input from which a consensus renders its own fields of the block object (eth_getBlockBy*). */

import type { Header } from './header-fields.ts'
import type { Withdrawal } from './withdrawals.ts'

/** The data of a block that the fields of `BlockMembers` show. */
export interface BlockMembersInput {
  readonly header: Header
  readonly withdrawals?: readonly Withdrawal[] | undefined
  /** Sum of the difficulties of the block and its uncles. */
  readonly cumulativeDifficulty: bigint
}
