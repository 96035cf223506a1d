/** Orders transactions for a block: by tip and arrival, or by arrival alone; those of one sender by nonce. */

import { effectiveTip } from '../../evm/transaction.ts'
import type { PooledTransaction } from './mempool.ts'

/** Order by tip, highest first, or by arrival. */
export type BlockOrder = 'fees' | 'fifo'

/** A sender's transactions by nonce, and the first one that is left. */
interface Queue {
  readonly pending: readonly PooledTransaction[]
  readonly position: number
  readonly first: PooledTransaction
  /** Tip of the first transaction; zero with order `fifo`. */
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
  // A binary heap that moves as Java's PriorityQueue does: without arrivals, its moves decide which of equal prices comes first.
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
