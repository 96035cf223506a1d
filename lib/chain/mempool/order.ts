/** Orders transactions for a block: by tip and arrival, or by arrival alone; those of one sender by nonce. */

import { bisect } from '../../base/bisect.ts'
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

/** Yields pending transactions in block order. Each inner list is one sender's, by nonce. */
export function* inBlockOrder(
  senders: Iterable<readonly PooledTransaction[]>,
  baseFeePerGas: bigint,
  order: BlockOrder,
): Generator<PooledTransaction> {
  const queueAt = (pending: readonly PooledTransaction[], position: number): Queue | undefined => {
    const first = pending[position]
    if (first === undefined) return undefined
    const tip = order === 'fees' ? effectiveTip(first.transaction, baseFeePerGas) : 0n
    return { pending, position, first, tip }
  }
  // The next queue is the last one, because removing the last element of an array moves no others.
  const queues = [...senders].flatMap((pending) => queueAt(pending, 0) ?? []).sort(laterFirst)
  for (let best = queues.pop(); best !== undefined; best = queues.pop()) {
    yield best.first
    const rest = queueAt(best.pending, best.position + 1)
    if (rest === undefined) continue
    const place = bisect(queues.length, (index) => laterFirst(queues[index] ?? rest, rest) < 0)
    queues.splice(place, 0, rest)
  }
}

function laterFirst(left: Queue, right: Queue): number {
  if (left.tip !== right.tip) return left.tip < right.tip ? -1 : 1
  return right.first.arrival - left.first.arrival
}
