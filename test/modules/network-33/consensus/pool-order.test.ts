/** The order of transactions on network 33, as its reference node mined them. */

import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { PooledTransaction } from '../../../../lib/chain/mempool/mempool.ts'
import { inBlockOrder } from '../../../../lib/chain/mempool/pending.ts'
import { inSenderMapOrder } from '../../../../lib/modules/network-33/consensus/admit.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { call, freshNode } from '../../../support/node.ts'
import { COW1 } from '../../../support/signing.ts'
import { addressOf, transactionOf } from '../../../support/transactions.ts'

/** Senders by their position in eth_accounts, with nonces. */
async function minedOrder(node: Node): Promise<string[]> {
  await call(node, 'evm_mine')
  const accounts = await call(node, 'eth_accounts')
  const { transactions } = await call(node, 'eth_getBlockByNumber', ['latest', true])
  return transactions.map(({ from, nonce }: any) => `${accounts.indexOf(from)}:${Number(nonce)}`)
}

test('equal prices come in the order of the reference node, not of arrival', async () => {
  const node = await freshNode({ mining: false })
  const accounts = await call(node, 'eth_accounts')
  const send = (sender: number, nonce: number, gasPrice: number, gas = 21_000) =>
    call(node, 'eth_sendTransaction', [{ from: accounts[sender], to: COW1, value: 1, nonce, gasPrice, gas }])
  await call(node, 'evm_mine')
  await send(0, 0, 14)
  for (let nonce = 0; nonce < 16; nonce++) await send(2, nonce, 0)
  await send(3, 0, 1)
  await send(4, 0, 0)
  await send(5, 0, 0, 6_800_000)
  await send(6, 0, 0, 6_800_001)
  await send(7, 0, 3, 5_000_000)
  const rest = Array.from({ length: 15 }, (_, nonce) => `2:${nonce + 1}`)
  expect(await minedOrder(node)).toEqual(['0:0', '7:0', '3:0', '2:0', '4:0', ...rest])
  expect(await minedOrder(node)).toEqual(['6:0'])
  expect(await minedOrder(node)).toEqual(['5:0'])
})

test('prices fall, and nonces of a sender rise', () => {
  const sent = fc.array(fc.array(fc.nat(3), { maxLength: 8 }), { maxLength: 40 })
  fc.assert(
    fc.property(sent, (senders) => {
      const queues = senders.map((gasPrices, sender): PooledTransaction[] =>
        gasPrices.map((price, nonce) => ({
          transaction: transactionOf({
            sender: addressOf(sender),
            nonce: BigInt(nonce),
            maxFeePerGas: BigInt(price),
            maxPriorityFeePerGas: BigInt(price),
          }),
          arrival: 40 * nonce + sender,
          height: 0n,
          timeMs: 0,
        })),
      )
      const left = new Map(queues.map((queue) => [queue[0]?.transaction.sender, [...queue]]))
      for (const pooled of inBlockOrder(
        queues.filter(({ length }) => length > 0),
        0n,
        'fees',
        inSenderMapOrder,
      )) {
        const prices = [...left.values()].flatMap(([first]) => first?.transaction.maxFeePerGas ?? [])
        expect(prices.every((price) => price <= pooled.transaction.maxFeePerGas)).toBe(true)
        expect(left.get(pooled.transaction.sender)?.shift()).toBe(pooled)
      }
      expect([...left.values()].flat()).toEqual([])
    }),
  )
})
