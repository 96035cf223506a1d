/** The order of transactions in a block: by price, then by arrival, or by arrival alone; each sender's by nonce. */

import { effectiveTip } from '../evm/transaction.ts'
import type { PooledTransaction } from './mempool.ts'

/** Order by price, highest first, or by arrival. */
export type BlockOrder = 'fees' | 'fifo'

/** A sender's transactions, by nonce, and what the first of them pays. */
interface Queue {
  readonly waiting: readonly PooledTransaction[]
  readonly position: number
  /** Zero where fees do not count. */
  readonly tip: bigint
  readonly arrival: number
}

/** Yields waiting transactions in the order a block takes them. Each inner list is one sender's, by nonce. */
export function* inBlockOrder(
  senders: Iterable<readonly PooledTransaction[]>,
  baseFeePerGas: bigint,
  order: BlockOrder,
): Generator<PooledTransaction> {
  const heap: Queue[] = []
  const enter = (waiting: readonly PooledTransaction[], position: number) => {
    const first = waiting[position]
    if (first === undefined) return
    const tip = order === 'fees' ? effectiveTip(first.transaction, baseFeePerGas) : 0n
    push(heap, { waiting, position, tip, arrival: first.arrival })
  }
  for (const waiting of senders) enter(waiting, 0)
  for (let best = pop(heap); best !== undefined; best = pop(heap)) {
    const next = best.waiting[best.position]
    if (next !== undefined) yield next
    enter(best.waiting, best.position + 1)
  }
}

function precedes(left: Queue, right: Queue): boolean {
  return left.tip === right.tip ? left.arrival < right.arrival : left.tip > right.tip
}

/** Adds to a binary heap whose root precedes everything. */
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

/** Takes the root off a binary heap. */
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
