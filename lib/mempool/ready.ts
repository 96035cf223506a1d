/** Which pooled transactions a block on the head could take: those without a gap in their sender's nonces. */

import type { Hash } from '../base/hex.ts'
import type { Chain } from '../chain/chain.ts'
import type { Mempool, PooledTransaction } from './mempool.ts'

/** The pool and the chain whose head decides. */
interface PoolOnChain {
  readonly mempool: Mempool
  readonly chain: Chain
}

/** The transactions that a block could take, a list for each sender. */
export function readyTransactions({
  mempool,
  chain,
}: PoolOnChain): readonly (readonly PooledTransaction[])[] {
  return mempool.readyBySender((sender) => chain.head.state.nonce(sender))
}

/** Whether a block could take the transaction. */
export function isReady({ mempool, chain }: PoolOnChain, hash: Hash): boolean {
  const pooled = mempool.get(hash)
  if (pooled === undefined) return false
  const { sender, nonce } = pooled.transaction
  return nonce < mempool.nextNonce(sender, chain.head.state.nonce(sender))
}
