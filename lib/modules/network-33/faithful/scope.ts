/** What a chain keeps for --faithful: the reference node's filters, which keep what they have collected. */

import type { Hash } from '../../../base/hex.ts'
import type { Cell } from '../../../chain/instance/chain-instance.ts'
import type { LogFilter } from '../../../chain/log-index.ts'
import type { Node } from '../../../node/node.ts'

/** What a chain keeps for --faithful. */
export interface FaithfulPart {
  /** Installed filters by id. */
  readonly keptFilters: Cell<ReadonlyMap<string, KeptFilter>>
}

/** A chain that answers like the reference node. It can use any method of the node. */
export type FaithfulChain = Node & FaithfulPart

/** A filter that keeps what it has collected. Positions are heights; for transactions, numbers of hashes. */
export type KeptFilter = {
  /** The position before its first result, and that of the last poll. */
  readonly start: bigint
  readonly polled: bigint
} & (
  | { readonly kind: 'blocks' }
  /** `source` is this node's filter that collects them. */
  | { readonly kind: 'transactions'; readonly source: bigint; readonly collected: readonly Hash[] }
  | { readonly kind: 'logs'; readonly wanted: LogRange }
)

/** Logs of a range of blocks; of the newest block where `from` is absent. */
export interface LogRange extends LogFilter {
  readonly from?: bigint
  /** Absent for the newest block. */
  readonly to?: bigint
}
