/** Methods that remove transactions from the pool. */

import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'

test('the pool loses dropped transactions', async () => {
  const node = await freshNode({ mining: false })
  const send = (from: string, nonce: string) =>
    call(node, 'eth_sendTransaction', [{ from, to: COW1, gas: '0x5208', nonce }])
  const [first] = [await send(COW, '0x0'), await send(COW, '0x1'), await send(COW1, '0x0')]
  expect(await call(node, 'hardhat_dropTransaction', [first])).toBe(true)
  expect(await call(node, 'anvil_dropTransaction', [first])).toBeNull()
  await call(node, 'anvil_removePoolTransactions', [COW1])
  expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 1 })
  await call(node, 'anvil_dropAllTransactions')
  expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
  await send(COW, '0x0')
  await call(node, 'hardhat_dropAllTransactions')
  expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
  const mined = await send(COW, '0x0')
  await call(node, 'evm_mine')
  await expect(call(node, 'hardhat_dropTransaction', [mined])).rejects.toThrow('is in a block')
})
