/** Filters of a node that is started with --faithful: they keep what they have collected (rpc/faithful/filters.ts). */

import type { Hash } from '../../base/hex.ts'
import type { LogFilter } from '../log-index.ts'

/** An installed filter. Positions are heights, of transactions numbers of hashes. */
export type KeptFilter = {
  /** The position before all that it collects, and that of the last poll. */
  readonly start: bigint
  readonly polled: bigint
} & (
  | { readonly kind: 'blocks' }
  /** `source`: the filter of this node that collects them. */
  | { readonly kind: 'transactions'; readonly source: bigint; readonly collected: readonly Hash[] }
  | { readonly kind: 'logs'; readonly wanted: LogRange }
)

/** Logs of a range of blocks; of the newest block where `from` is absent. */
export interface LogRange extends LogFilter {
  readonly from?: bigint
  /** Absent for the newest block. */
  readonly to?: bigint
}
