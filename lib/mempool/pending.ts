/** Selects the pooled transactions that the next block can contain: those without a nonce gap. */

import type { Hash } from '../base/hex.ts'
import type { Chain } from '../chain/chain.ts'
import type { Mempool, PooledTransaction } from './mempool.ts'

/** A pool and its chain, whose head has the nonces of the accounts. */
interface PoolOnChain {
  readonly mempool: Mempool
  readonly chain: Chain
}

/** The transactions that the next block can contain, one list per sender. */
export function pendingTransactions({
  mempool,
  chain,
}: PoolOnChain): readonly (readonly PooledTransaction[])[] {
  return mempool.pendingBySender((sender) => chain.head.state.nonce(sender))
}

/** Whether the next block can contain the transaction. */
export function isPending({ mempool, chain }: PoolOnChain, hash: Hash): boolean {
  const pooled = mempool.get(hash)
  if (pooled === undefined) return false
  const { sender, nonce } = pooled.transaction
  return nonce < mempool.nextNonce(sender, chain.head.state.nonce(sender))
}
