/** Selects the pooled transactions that the next block can contain: those without a nonce gap. */

import type { Address, Hash } from '../../base/hex.ts'
import type { Chain } from '../chain.ts'
import type { Mempool, PooledTransaction } from './mempool.ts'
import type { StateRoot } from '../../state/state-root.ts'

/** A pool and its chain, whose head has the nonces of the accounts. */
interface PoolOnChain {
  readonly mempool: Mempool
  readonly chain: Chain
}

/** The transactions that the next block can contain, one list per sender. */
export function pendingTransactions(pool: PoolOnChain): readonly (readonly PooledTransaction[])[] {
  const { state } = pool.chain.head
  return [...pool.mempool.senders()]
    .map((sender) => pool.mempool.pending(sender, state.nonce(sender)))
    .filter((pending) => pending.length > 0)
}

/** Whether the next block can contain the transaction. */
export function isPending({ mempool, chain }: PoolOnChain, hash: Hash): boolean {
  const pooled = mempool.get(hash)
  if (pooled === undefined) return false
  const { sender, nonce } = pooled.transaction
  return nonce < mempool.nextNonce(sender, chain.head.state.nonce(sender))
}

/** Pooled transactions by sender, each sender's by nonce. */
export type BySender = ReadonlyMap<Address, readonly PooledTransaction[]>

/** Splits the pool by the nonces of a state. Each part has the senders with transactions in it, by address. */
export function splitPool(
  mempool: Mempool,
  state: StateRoot,
): { readonly pending: BySender; readonly queued: BySender } {
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
