/** Blocks, transactions and the pool of the reference node (node-rpc 4 and 5.13). */

import { expect, test } from '@jest/globals'
import { faithfulNode } from '../../support/faithful.ts'

/** A node that mines on request only, with a pooled transaction and one that waits for another. */
async function pooling() {
  const { send, ...rest } = await faithfulNode({ noMining: true })
  const to = rest.other
  return { ...rest, pooled: await send({ to, gasPrice: '0xabc' }), queued: await send({ to, nonce: '0x9' }) }
}

test('the pending block has nulls, and its transactions have positions', async () => {
  const { ask, pooled } = await pooling()
  const block = await ask('eth_getBlockByNumber', 'pending', true)
  expect(block).toMatchObject({
    number: null,
    nonce: '0x0000000000000000',
    miner: null,
    totalDifficulty: '0x0',
  })
  const place = {
    blockHash: expect.stringMatching(/^0x[\da-f]{64}$/),
    blockNumber: '0x1',
    transactionIndex: '0x0',
  }
  expect(block.transactions[0]).toMatchObject({ hash: pooled, ...place })
  expect(await ask('eth_getTransactionByBlockNumberAndIndex', 'pending', '0x0')).toMatchObject({
    hash: pooled,
    ...place,
  })
  expect(await ask('eth_getTransactionByBlockNumberAndIndex', 'pending', '0x1')).toBe(null)
  expect(await ask('eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x1')
})

test('a transaction that waits for another one is not found', async () => {
  const { ask, pooled, queued } = await pooling()
  expect(await ask('eth_getTransactionByHash', pooled)).toMatchObject({ hash: pooled })
  expect(await ask('eth_getTransactionByHash', queued)).toBe(null)
})

test('the pool shows amounts as bytes, and no signatures', async () => {
  const { ask, owner, other } = await pooling()
  const { pending } = await ask('txpool_content')
  const [transaction] = pending[owner.slice(2)]['0']
  expect(transaction).toMatchObject({ gasPrice: '0x0abc', value: '0x00', to: other })
  expect(Object.keys(transaction)).not.toContain('v')
})

test('transactions, receipts and blocks lack the members that this node adds', async () => {
  const { ask, send, other: to } = await faithfulNode()
  const hash = await send({ to })
  const shown = [
    await ask('eth_getTransactionByHash', hash),
    await ask('eth_getTransactionReceipt', hash),
    (await ask('eth_getBlockByNumber', 'latest', true)).transactions[0],
  ]
  for (const one of shown)
    expect(Object.keys(one).filter((name) => /^(chainId|blockTimestamp)$/.test(name))).toEqual([])
})

test('what is read at an unknown block names it as the client did', async () => {
  const { ask, owner } = await faithfulNode()
  const blockHash = `0x${'AB'.repeat(32)}`
  expect(await ask('eth_getBalance', owner, '0xFF')).toEqual({
    code: -32600,
    message: 'Block 0xFF not found',
  })
  expect(await ask('eth_getBalance', owner, { blockHash })).toEqual({
    code: -32600,
    message: `Block with hash ${blockHash} not found`,
  })
  expect(await ask('eth_getCode', owner, '0xff')).toBe(null)
})

test('the modules are those of the reference', async () => {
  const { ask } = await faithfulNode()
  expect(await ask('rpc_modules')).not.toHaveProperty('dev')
})
