import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'

test('dev_memory answers what the chain holds, and the memory of the process', async () => {
  const node = await freshNode({ network: 'ethereum', keepStates: 8 })
  for (let mined = 0; mined < 20; mined++) await call(node, 'evm_mine')
  await call(node, 'evm_snapshot')
  await call(node, 'dev_createWorld', [{ id: 'one' }])
  const from = node.funded[0]!.address
  await call(node, 'eth_sendTransaction', [{ from, to: from, gas: '0x5208', nonce: '0x999' }])
  const { process, states, ...counts } = await call(node, 'dev_memory')
  expect(counts).toEqual({ blocks: 21, transactions: 1, snapshots: 1, worlds: 1 })
  expect(states).toBeGreaterThanOrEqual(10)
  expect(states).toBeLessThan(13)
  expect(process.rss).toBeGreaterThan(process.heap)
})
