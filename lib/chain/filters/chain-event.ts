/** Chain events for subscribers: their kinds, their order, and which subscriptions they match. */

import type { Block } from '../block.ts'
import type { ChainEntry, HeadChange } from '../chain-entry.ts'
import type { LogFilter } from '../log-index.ts'
import { logsOfBlock, matchesLog, type BlockLog } from '../logs.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { PolledLog } from './filters.ts'

export type ChainEvent =
  | { readonly kind: 'heads'; readonly block: Block }
  | { readonly kind: 'logs'; readonly log: PolledLog }
  /** A transaction entered the mempool: for subscriptions to hashes, and for those to whole transactions. */
  | { readonly kind: 'hashes' | 'transactions'; readonly transaction: Transaction }
  /** Sent once, as this node never syncs. */
  | { readonly kind: 'syncing' }
  /** A revert ended: the new head, and the removed blocks, newest first. */
  | { readonly kind: 'reverts'; readonly head: Block; readonly removed: readonly Block[] }

/** The events that a subscription gets. */
export type SubscriptionFilter =
  | { readonly kind: Exclude<ChainEvent['kind'], 'logs'> }
  | { readonly kind: 'logs'; readonly filter: LogFilter }

/** Whether a subscription gets an event. */
export function matchesSubscription(wanted: SubscriptionFilter, event: ChainEvent): boolean {
  if (wanted.kind !== 'logs') return wanted.kind === event.kind
  return event.kind === 'logs' && matchesLog(wanted.filter, event.log.log)
}

const ALL_LOGS: LogFilter = { addresses: [], topics: [] }

/** Logs of the removed blocks, newest first, then each added block, oldest first, followed by its logs. */
export function* chainEventsOf({ removed, added }: HeadChange): Generator<ChainEvent> {
  for (const entry of removed) {
    for (const log of ownLogs(entry).toReversed()) yield { kind: 'logs', log: { ...log, removed: true } }
  }
  for (const entry of added) {
    yield { kind: 'heads', block: entry.block }
    for (const log of ownLogs(entry)) yield { kind: 'logs', log: { ...log, removed: false } }
  }
}

/** The logs of a block. Those of a remote block are no events here: they would have to be loaded. */
const ownLogs = ({ block, ownReceipts }: ChainEntry): readonly BlockLog[] =>
  ownReceipts.length === 0 ? [] : logsOfBlock(block, ALL_LOGS)
