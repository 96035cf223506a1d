/** Methods about the chain as a whole. */

import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { COW1 } from '../../support/signing.ts'

test('eth_coinbase returns the miner of the next block', async () => {
  const node = await freshNode()
  const id = await call(node, 'evm_snapshot')
  expect(await call(node, 'eth_coinbase')).toBe(node.network.coinbase)
  await call(node, 'hardhat_setCoinbase', [COW1])
  expect(await call(node, 'eth_coinbase')).toBe(COW1)
  await call(node, 'evm_mine')
  expect((await call(node, 'eth_getBlockByNumber', ['latest', false])).miner).toBe(COW1)
  await call(node, 'evm_revert', [id])
  expect(await call(node, 'eth_coinbase')).toBe(node.network.coinbase)
})
