/**
 * What a pool is to its chain: the transactions that the next block can contain, which are those without a nonce gap, their order
 * in the block, and the changes after a new head. A revert to a snapshot restores the pool itself.
 */

import type { Address, Hash } from '../../base/hex.ts'
import type { Network } from '../../config/network.ts'
import { isSystemTransaction } from '../../evm/system-transaction.ts'
import { effectiveTip, type Transaction } from '../../evm/transaction.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { ChainEntry, HeadChange } from '../chain-entry.ts'
import type { Chain } from '../chain.ts'
import type { Mempool, PooledTransaction } from './mempool.ts'

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

interface FollowingPool extends PoolOnChain {
  readonly network: Pick<Network, 'outdatedBlocks' | 'outdatedSeconds'>
  /** Whether the block was mined instantly for one transaction. Then it says nothing about how long the others have waited. */
  readonly isInstant?: boolean
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
export function dropOutdated({ mempool, chain, network, isInstant = false }: FollowingPool): void {
  const { outdatedBlocks, outdatedSeconds = Infinity } = network
  if (outdatedBlocks === undefined) return
  mempool.removeOlder(isInstant ? 0n : chain.height - outdatedBlocks, outdatedSeconds * 1000)
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

export type BlockOrder = 'fees' | 'fifo'

/** A sender's transactions by nonce, and the first one that is left. */
interface Queue {
  readonly pending: readonly PooledTransaction[]
  readonly position: number
  readonly first: PooledTransaction
  readonly tip: bigint
}

/** Transactions of senders, each sender's by nonce. */
type Senders = readonly (readonly PooledTransaction[])[]

/** Yields pending transactions in block order. `priceTies`, if given, orders senders for a choice by price without arrival. */
export function* inBlockOrder(
  senders: Senders,
  baseFeePerGas: bigint,
  order: BlockOrder,
  priceTies?: (senders: Senders) => Senders,
): Generator<PooledTransaction> {
  const tiesByArrival = order === 'fifo' || priceTies === undefined
  const queues: Queue[] = []
  /** Exchanges two queues of the heap if the lower one comes first. */
  const rise = (lower: number, upper: number): boolean => {
    const [risen, sunk] = [queues[lower], queues[upper]]
    if (risen === undefined || sunk === undefined || !isBefore(risen, sunk, tiesByArrival)) return false
    queues[upper] = risen
    queues[lower] = sunk
    return true
  }
  const add = (pending: readonly PooledTransaction[], position: number): void => {
    const first = pending[position]
    if (first === undefined) return
    const tip = order === 'fees' ? effectiveTip(first.transaction, baseFeePerGas) : 0n
    let place = queues.push({ pending, position, first, tip }) - 1
    while (rise(place, (place - 1) >> 1)) place = (place - 1) >> 1
  }
  // A binary heap that moves as Java's PriorityQueue does. Without arrivals, its moves decide the order of equal prices.
  for (const pending of tiesByArrival ? senders : priceTies(senders)) add(pending, 0)
  for (let best = queues[0]; best !== undefined; best = queues[0]) {
    yield best.first
    const last = queues.pop()
    if (last !== undefined && last !== best) queues[0] = last
    for (let place = 0, lower = 0; place === lower;) {
      const [left, right] = queues.slice(2 * place + 1, 2 * place + 3)
      lower = 2 * place + (left && right && isBefore(right, left, tiesByArrival) ? 2 : 1)
      if (rise(lower, place)) place = lower
    }
    add(best.pending, best.position + 1)
  }
}

const isBefore = (left: Queue, right: Queue, tiesByArrival: boolean): boolean =>
  left.tip === right.tip ? tiesByArrival && left.first.arrival < right.first.arrival : left.tip > right.tip
