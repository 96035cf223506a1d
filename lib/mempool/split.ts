/** Splits the pool into pending transactions and transactions queued behind a nonce gap. */

import type { Address } from '../base/hex.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { Mempool, PooledTransaction } from './mempool.ts'

/** Pooled transactions by sender, each sender's by nonce. */
export type BySender = ReadonlyMap<Address, readonly PooledTransaction[]>

/** Both parts of the pool. Senders are in order of their addresses; a part lists only senders with transactions in it. */
export interface SplitPool {
  readonly pending: BySender
  readonly queued: BySender
}

/** Splits the pool by the nonces of a state. */
export function splitPool(mempool: Mempool, state: StateRoot): SplitPool {
  const pending = new Map<Address, readonly PooledTransaction[]>()
  const queued = new Map<Address, readonly PooledTransaction[]>()
  for (const sender of [...mempool.senders()].sort()) {
    const ready = mempool.pending(sender, state.nonce(sender))
    const rest = mempool.from(sender).filter((pooled) => !ready.includes(pooled))
    if (ready.length > 0) pending.set(sender, ready)
    if (rest.length > 0) queued.set(sender, rest)
  }
  return { pending, queued }
}
