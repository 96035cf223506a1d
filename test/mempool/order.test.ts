import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { PooledTransaction } from '../../lib/mempool/mempool.ts'
import { inBlockOrder } from '../../lib/mempool/order.ts'
import type { BlockOrder } from '../../lib/mempool/order.ts'
import { addressOf, transactionOf } from '../support/transactions.ts'

const BASE_FEE = 5n

/** Queues of senders: prices by nonce. Arrivals are mixed but rise within a sender or not, as in a pool. */
const prices = fc.array(fc.array(fc.nat(9), { maxLength: 5 }), { maxLength: 6 })

function queuesOf(
  senders: readonly (readonly number[])[],
  arrivals: readonly number[],
): PooledTransaction[][] {
  let taken = 0
  return senders.map((of, sender) =>
    of.map((price, nonce) => ({
      transaction: transactionOf({
        sender: addressOf(sender),
        nonce: BigInt(nonce),
        maxFeePerGas: BigInt(price),
        maxPriorityFeePerGas: BigInt(price % 4),
      }),
      arrival: arrivals[taken++]!,
    })),
  )
}

function tipOf({ transaction }: PooledTransaction): bigint {
  const offered = BASE_FEE + transaction.maxPriorityFeePerGas
  return (offered < transaction.maxFeePerGas ? offered : transaction.maxFeePerGas) - BASE_FEE
}

/** The same by looking at the first of every queue each time. */
function naiveOrder(
  queues: readonly (readonly PooledTransaction[])[],
  order: BlockOrder,
): PooledTransaction[] {
  const rest = queues.map((queue) => [...queue])
  const ordered: PooledTransaction[] = []
  for (;;) {
    const firsts = rest.flatMap((queue) => queue.slice(0, 1))
    firsts.sort((a, b) =>
      order === 'fifo' || tipOf(a) === tipOf(b) ? a.arrival - b.arrival : tipOf(a) > tipOf(b) ? -1 : 1,
    )
    const best = firsts[0]
    if (best === undefined) return ordered
    ordered.push(best)
    rest.find((queue) => queue[0] === best)!.shift()
  }
}

describe('order of a block', () => {
  test.each([
    ['fees', 'the best price first, then the first come'],
    ['fifo', 'the first come first'],
  ] as const)('%s takes %s, and never a nonce before the one below it', (order, _what) => {
    fc.assert(
      fc.property(prices, fc.infiniteStream(fc.nat()), (senders, numbers) => {
        const count = senders.flat().length
        const arrivals = [...new Set(numbers.take(count * 4))].slice(0, count)
        fc.pre(arrivals.length === count)
        const queues = queuesOf(senders, arrivals)
        expect([...inBlockOrder(queues, BASE_FEE, order)]).toEqual(naiveOrder(queues, order))
      }),
    )
  })

  test('can be left before its end', () => {
    const queues = queuesOf([[9, 1], [5]], [0, 1, 2])
    const [first] = inBlockOrder(queues, BASE_FEE, 'fees')
    expect(first).toBe(queues[0]![0])
  })
})
