/** What happens on a chain, as those hear of it who want to: what there is to tell, in which order, and who wants it. */

import type { LogFilter } from '../chain/log-filter.ts'
import type { Block } from '../chain/block.ts'
import type { HeadChange } from '../chain/chain.ts'
import { logsOfBlock, matchesLog } from '../chain/logs.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { PolledLog } from './filters.ts'

/** What there is to tell. */
export type ChainEvent =
  | { readonly kind: 'heads'; readonly block: Block }
  | { readonly kind: 'logs'; readonly log: PolledLog }
  /** A transaction entered the pool: for those who want its hash, and for those who want all of it. */
  | { readonly kind: 'hashes' | 'transactions'; readonly transaction: Transaction }
  /** This node is never behind. */
  | { readonly kind: 'syncing' }
  /** A revert is over: the head now, and the blocks that left for it, newest first. */
  | { readonly kind: 'reverts'; readonly head: Block; readonly removed: readonly Block[] }

/** What a subscription asks for. */
export type SubscriptionFilter =
  | { readonly kind: Exclude<ChainEvent['kind'], 'logs'> }
  | { readonly kind: 'logs'; readonly filter: LogFilter }

/** Whether a happening is of the wanted kind. */
export function matchesSubscription(wanted: SubscriptionFilter, event: ChainEvent): boolean {
  if (wanted.kind !== 'logs') return wanted.kind === event.kind
  return event.kind === 'logs' && matchesLog(wanted.filter, event.log.log)
}

const ALL_LOGS: LogFilter = { addresses: [], topics: [] }

/**
 * A change of the head, event by event: the logs of the blocks that left, newest first, then each block that joined,
 * oldest first, followed by its logs.
 */
export function* chainEventsOf({ removed, added }: HeadChange): Generator<ChainEvent> {
  for (const block of removed) {
    for (const log of [...logsOfBlock(block, ALL_LOGS)].reverse()) {
      yield { kind: 'logs', log: { ...log, removed: true } }
    }
  }
  for (const block of added) {
    yield { kind: 'heads', block }
    for (const log of logsOfBlock(block, ALL_LOGS)) yield { kind: 'logs', log: { ...log, removed: false } }
  }
}
