/** The pool as its observers see it: what the next blocks can take, and what waits behind a gap in the nonces. */

import type { Address } from '../base/hex.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { Mempool, PooledTransaction } from './mempool.ts'

/** Waiting transactions by sender, each sender's by nonce. */
export type BySender = ReadonlyMap<Address, readonly PooledTransaction[]>

/** Both parts of the pool; senders in the order of their addresses, and in a part only with transactions in it. */
export interface SplitPool {
  readonly pending: BySender
  readonly queued: BySender
}

/** Splits the pool by what can run on a state. */
export function splitPool(mempool: Mempool, state: StateRoot): SplitPool {
  const pending = new Map<Address, readonly PooledTransaction[]>()
  const queued = new Map<Address, readonly PooledTransaction[]>()
  for (const sender of [...mempool.senders()].sort()) {
    const ready = mempool.ready(sender, state.nonce(sender))
    const behind = mempool.from(sender).filter((waiting) => !ready.includes(waiting))
    if (ready.length > 0) pending.set(sender, ready)
    if (behind.length > 0) queued.set(sender, behind)
  }
  return { pending, queued }
}
