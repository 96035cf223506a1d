/** Orders transactions for a block: by tip and arrival, or by arrival alone; those of one sender by nonce. */

import { effectiveTip } from '../evm/transaction.ts'
import type { PooledTransaction } from './mempool.ts'

/** Order by tip, highest first, or by arrival. */
export type BlockOrder = 'fees' | 'fifo'

/** A sender's transactions by nonce, and the tip of the next one. */
interface Queue {
  readonly pending: readonly PooledTransaction[]
  readonly position: number
  /** Zero with order `fifo`. */
  readonly tip: bigint
  readonly arrival: number
}

/** Yields pending transactions in block order. Each inner list is one sender's, by nonce. */
export function* inBlockOrder(
  senders: Iterable<readonly PooledTransaction[]>,
  baseFeePerGas: bigint,
  order: BlockOrder,
): Generator<PooledTransaction> {
  const heap: Queue[] = []
  const enter = (pending: readonly PooledTransaction[], position: number) => {
    const first = pending[position]
    if (first === undefined) return
    const tip = order === 'fees' ? effectiveTip(first.transaction, baseFeePerGas) : 0n
    push(heap, { pending, position, tip, arrival: first.arrival })
  }
  for (const pending of senders) enter(pending, 0)
  for (let best = pop(heap); best !== undefined; best = pop(heap)) {
    const next = best.pending[best.position]
    if (next !== undefined) yield next
    enter(best.pending, best.position + 1)
  }
}

function precedes(left: Queue, right: Queue): boolean {
  return left.tip === right.tip ? left.arrival < right.arrival : left.tip > right.tip
}

/** Adds a queue to a binary heap whose root precedes all others. */
function push(heap: Queue[], added: Queue): void {
  let index = heap.length
  heap.push(added)
  while (index > 0) {
    const above = (index - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !precedes(added, parent)) break
    heap[index] = parent
    index = above
  }
  heap[index] = added
}

/** Removes the root of a binary heap. */
function pop(heap: Queue[]): Queue | undefined {
  const root = heap[0]
  const last = heap.pop()
  if (root === undefined || last === undefined || heap.length === 0) return root
  let index = 0
  for (;;) {
    const left = heap[2 * index + 1]
    const right = heap[2 * index + 2]
    if (left === undefined) break
    const isRight = right !== undefined && precedes(right, left)
    const child = isRight ? right : left
    if (!precedes(child, last)) break
    heap[index] = child
    index = 2 * index + (isRight ? 2 : 1)
  }
  heap[index] = last
  return root
}
