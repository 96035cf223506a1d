/**
 * What a pool is to its chain: the transactions that the next block can contain, which are those without a nonce gap, and the
 * changes after a new head. A revert to a snapshot restores the pool itself.
 */

import type { Address, Hash } from '../../base/hex.ts'
import type { Network } from '../../config/network.ts'
import { isSystemTransaction } from '../../evm/system-transaction.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { ChainEntry, HeadChange } from '../chain-entry.ts'
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

/** A pool that follows its chain. */
interface FollowingPool extends PoolOnChain {
  readonly network: Pick<Network, 'outdatedBlocks' | 'outdatedSeconds'>
}

/** Removes transactions with used nonces and outdated ones, and returns those of removed blocks to the pool. */
export function followHead(change: HeadChange, followed: FollowingPool): void {
  const { mempool, chain } = followed
  const { state } = chain.head
  for (const sender of new Set(transactionsOf(change.added).map((transaction) => transaction.sender))) {
    mempool.removeBelowNonce(sender, state.nonce(sender))
  }
  for (const transaction of transactionsOf(change.removed.toReversed())) {
    const { sender, nonce } = transaction
    const isPassed = nonce < state.nonce(sender)
    if (!isPassed && mempool.find(sender, nonce) === undefined) mempool.add(transaction, chain.height)
  }
  dropOutdated(followed)
}

/** Removes the transactions that have waited longer, in blocks or on the wall clock, than the network's pool keeps them. */
export function dropOutdated({ mempool, chain, network }: FollowingPool): void {
  const { outdatedBlocks, outdatedSeconds = Infinity } = network
  if (outdatedBlocks !== undefined) mempool.removeOlder(chain.height - outdatedBlocks, outdatedSeconds * 1000)
}

/** The transactions of users. System transactions never were in the pool. */
function transactionsOf(entries: readonly ChainEntry[]): readonly Transaction[] {
  const transactions: Transaction[] = []
  for (const { block } of entries) {
    for (const { transaction } of block.receipts) {
      if (!isSystemTransaction(transaction)) transactions.push(transaction)
    }
  }
  return transactions
}
