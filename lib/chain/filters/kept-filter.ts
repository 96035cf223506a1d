/** Filters of a node that is started with --faithful: they keep what they have collected (rpc/faithful/filters.ts). */

import type { Hash } from '../../base/hex.ts'
import type { LogFilter } from '../log-index.ts'

/** An installed filter. */
export type KeptFilter =
  | { readonly kind: 'blocks'; readonly from: bigint; readonly polled: bigint }
  | {
      readonly kind: 'transactions'
      /** The filter of this node that collects them. */
      readonly source: bigint
      readonly collected: readonly Hash[]
      readonly polled: bigint
    }
  | { readonly kind: 'logs'; readonly wanted: LogRange; readonly polled: bigint }

/** Logs of a range of blocks; of the newest block where `from` is absent. */
export interface LogRange extends LogFilter {
  readonly from?: bigint
  /** Absent for the newest block. */
  readonly to?: bigint
}
