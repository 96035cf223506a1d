import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { PooledTransaction } from '../../../lib/chain/mempool/mempool.ts'
import { inBlockOrder, type BlockOrder } from '../../../lib/chain/mempool/pending.ts'
import { addressOf, transactionOf } from '../../support/transactions.ts'
import { call, freshNode } from '../../support/node.ts'
import { COW1 } from '../../support/signing.ts'

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
      height: 0n,
      timeMs: 0,
    })),
  )
}

function tipOf({ transaction }: PooledTransaction): bigint {
  const offered = BASE_FEE + transaction.maxPriorityFeePerGas
  return (offered < transaction.maxFeePerGas ? offered : transaction.maxFeePerGas) - BASE_FEE
}

/** The same order, found by comparing the first of every queue each time. */
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

  test('can be iterated in part', () => {
    const queues = queuesOf([[9, 1], [5]], [0, 1, 2])
    const [first] = inBlockOrder(queues, BASE_FEE, 'fees')
    expect(first).toBe(queues[0]![0])
  })
})

test.each([
  ['fees', ['later', 'early', 'next']],
  ['fifo', ['early', 'next', 'later']],
] as const)('a block has its transactions in the order %s', async (order, expected) => {
  const node = await freshNode({ mining: false, order })
  const [from, other] = await call(node, 'eth_accounts')
  const send = (sender: string, gasPrice: string, nonce: string) =>
    call(node, 'eth_sendTransaction', [{ from: sender, to: COW1, gas: '0x5208', gasPrice, nonce }])
  // The transaction with the highest price waits for the nonce below it.
  const names = new Map([
    [await send(from, '0x9', '0x1'), 'next'],
    [await send(from, '0x1', '0x0'), 'early'],
    [await send(other, '0x5', '0x0'), 'later'],
  ])
  const listed = async (block: string): Promise<string[]> => {
    const { transactions } = await call(node, 'eth_getBlockByNumber', [block, false])
    return transactions.map((hash: string) => names.get(hash))
  }
  expect(await listed('pending')).toEqual(expected)
  await call(node, 'evm_mine')
  expect(await listed('latest')).toEqual(expected)
  expect(await call(node, 'anvil_nodeInfo')).toMatchObject({ transactionOrder: order })
})
