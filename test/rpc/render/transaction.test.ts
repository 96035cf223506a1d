/** The members that the newest schemas of execution-apis give to transactions and logs. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import { assembleCode } from '../../support/bytecode.ts'
import { call, freshNode } from '../../support/node.ts'

/** A node with manual mining, and a pooled creation whose constructor emits a log. */
async function afterSending() {
  const node = await freshNode({ mining: false })
  const data = toHex(assembleCode('1 0 0 LOG1'))
  const hash = await call(node, 'eth_sendTransaction', [
    { from: node.funded[0]!.address, data, gas: '0x30d40' },
  ])
  return { node, hash }
}

describe('blockTimestamp', () => {
  test('is null while a transaction is pooled', async () => {
    const { node, hash } = await afterSending()
    expect(await call(node, 'eth_getTransactionByHash', [hash])).toMatchObject({ blockTimestamp: null })
    const { transactions } = await call(node, 'eth_getBlockByNumber', ['pending', true])
    expect(transactions[0]).toMatchObject({ hash, blockTimestamp: null })
  })

  test('is the timestamp of the block in every form of a mined transaction', async () => {
    const { node, hash } = await afterSending()
    await call(node, 'evm_mine')
    const {
      timestamp,
      hash: blockHash,
      transactions,
    } = await call(node, 'eth_getBlockByNumber', ['latest', true])
    const shown = [
      transactions[0],
      await call(node, 'eth_getTransactionByHash', [hash]),
      await call(node, 'eth_getTransactionByBlockHashAndIndex', [blockHash, '0x0']),
    ]
    for (const transaction of shown) expect(transaction.blockTimestamp).toBe(timestamp)
  })

  test('is the timestamp of the block in logs of receipts and queries', async () => {
    const { node, hash } = await afterSending()
    await call(node, 'evm_mine')
    const { timestamp } = await call(node, 'eth_getBlockByNumber', ['latest'])
    const { logs } = await call(node, 'eth_getTransactionReceipt', [hash])
    expect(logs).toMatchObject([{ blockTimestamp: timestamp }])
    expect(await call(node, 'eth_getLogs', [{}])).toEqual(logs)
  })
})
