/** Transactions that wait for too many blocks, or too long, leave the pool of network 33 (node-chain 7.6). */

import { expect, test } from '@jest/globals'
import type { Node } from '../../../lib/node/node.ts'
import { ManualHost, call, elapse, freshNode } from '../../support/node.ts'
import { COW1 } from '../../support/signing.ts'

/** A node at block 3 with a transaction in its pool that waits for the nonce before it. */
async function nodeWithQueued(options = {}, host = new ManualHost()): Promise<Node> {
  const node = await freshNode(options, host)
  await call(node, 'hardhat_mine', ['0x3'])
  const [from] = await call(node, 'eth_accounts')
  await call(node, 'eth_sendTransaction', [{ from, to: COW1, gas: 21_000, nonce: 1 }])
  return node
}

const sizes = async (node: Node, counts: readonly number[]): Promise<number[]> => {
  const found: number[] = []
  for (const count of counts) {
    await call(node, 'hardhat_mine', [`0x${count.toString(16)}`])
    found.push(node.mempool.size)
  }
  return found
}

test('a queued transaction goes with the eleventh block', async () => {
  expect(await sizes(await nodeWithQueued(), [9, 1, 1])).toEqual([1, 1, 0])
})

test('it goes with the first block after 650 seconds of the wall clock', async () => {
  const host = new ManualHost()
  const node = await nodeWithQueued({}, host)
  await call(node, 'evm_increaseTime', [1000])
  await elapse(node, host, 649_000)
  expect(await sizes(node, [1])).toEqual([1])
  await elapse(node, host, 2000)
  expect(node.mempool.size).toBe(1)
  expect(await sizes(node, [1])).toEqual([0])
})

test('blocks that are only reserved count', async () => {
  const node = await nodeWithQueued()
  await call(node, 'hardhat_mine', ['0xf4240'])
  expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
})

test('a revert brings it back, with the blocks that it had waited for', async () => {
  const node = await nodeWithQueued()
  await call(node, 'hardhat_mine', ['0x8'])
  const snapshot = await call(node, 'evm_snapshot')
  expect(await sizes(node, [2, 1])).toEqual([1, 0])
  await call(node, 'evm_revert', [snapshot])
  expect(await sizes(node, [2, 1])).toEqual([1, 0])
})

test('a replacement waits anew', async () => {
  const node = await nodeWithQueued()
  await call(node, 'hardhat_mine', ['0x8'])
  const [from] = await call(node, 'eth_accounts')
  await call(node, 'eth_sendTransaction', [{ from, to: COW1, gas: 21_000, nonce: 1, value: 1 }])
  expect(await sizes(node, [10, 1])).toEqual([1, 0])
})

test('blocks that are mined for single transactions do not count: a client may send many at once, in any order', async () => {
  const node = await nodeWithQueued()
  const [from, other] = await call(node, 'eth_accounts')
  for (let sent = 0; sent < 12; sent++)
    await call(node, 'eth_sendTransaction', [{ from: other, to: COW1, gas: 21_000 }])
  expect(node.mempool.size).toBe(1)
  await call(node, 'eth_sendTransaction', [{ from, to: COW1, gas: 21_000, nonce: 0 }])
  expect(await call(node, 'eth_getTransactionCount', [from])).toBe('0x2')
})

test('on Ethereum it stays', async () => {
  expect(await sizes(await nodeWithQueued({ network: 'ethereum' }), [100])).toEqual([1])
})
