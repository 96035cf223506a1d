/** ots_*: requests of the Otterscan explorer. */

import { describe, expect, test } from '@jest/globals'
import { call, freshNode, refusal } from '../../../support/node.ts'
import { PAYER, RECEIVER, send, withHistory } from '../otterscan.ts'

describe.each(['ethereum', 'network-33'])('on %s', (network) => {
  test('a transaction has its internal operations, calls and error', async () => {
    const { node, sender, transfer, payment, revert } = await withHistory(network)
    const operations = await call(node, 'ots_getInternalOperations', [payment])
    expect(operations).toEqual([
      { type: 2, from: PAYER, to: expect.stringMatching(/^0x[0-9a-f]{40}$/), value: '0x0' },
      { type: 0, from: PAYER, to: RECEIVER, value: '0x1' },
    ])
    expect(await call(node, 'ots_getInternalOperations', [transfer])).toEqual([])
    expect(await call(node, 'ots_getInternalOperations', [revert])).toEqual([])
    const calls = await call(node, 'ots_traceTransaction', [payment])
    expect(calls.map(({ type, depth, from, to }: any) => [type, depth, from, to])).toEqual([
      ['CALL', 0, sender, PAYER],
      ['CREATE', 1, PAYER, operations[0].to],
      ['CALL', 1, PAYER, RECEIVER],
    ])
    expect(await call(node, 'ots_getTransactionError', [revert])).toBe('0xdeadbeef')
    expect(await call(node, 'ots_getTransactionError', [transfer])).toBe('0x')
  })

  test('a block has its fees, and its transactions in pages from the last', async () => {
    const node = await freshNode({ network, mining: false })
    const hashes: string[] = []
    for (const nonce of [0, 1, 2])
      hashes.push(await send(node, { to: RECEIVER, gasPrice: '0x77359400', nonce }))
    await call(node, 'evm_mine')
    const { transactions, ...block } = await call(node, 'eth_getBlockByNumber', ['0x1'])
    const details = await call(node, 'ots_getBlockDetails', ['0x1'])
    expect(details.block).toEqual({ ...block, transactionCount: 3 })
    expect(BigInt(details.totalFees)).toBe(3n * 21_000n * 0x77359400n)
    expect(await call(node, 'ots_getBlockDetailsByHash', [block.hash])).toEqual(details)
    const pageOf = async (page: number) => {
      const { fullblock, receipts } = await call(node, 'ots_getBlockTransactions', ['0x1', page, 2])
      expect(receipts.map((receipt: any) => receipt.transactionHash)).toEqual(
        fullblock.transactions.map(({ hash }: any) => hash),
      )
      expect(fullblock.transactionCount).toBe(3)
      return fullblock.transactions.map(({ hash }: any) => hash)
    }
    expect(await Promise.all([0, 1, 2].map(pageOf))).toEqual([
      transactions.slice(1),
      transactions.slice(0, 1),
      [],
    ])
    expect(transactions).toEqual(hashes)
  })
})

test('ots_getTransactionBySenderAndNonce finds a transaction, and unknown ones are null or refused', async () => {
  const node = await freshNode()
  const hash = await send(node, { to: RECEIVER })
  const { address } = node.funded[0]!
  expect(await call(node, 'ots_getTransactionBySenderAndNonce', [address, 0])).toBe(hash)
  expect(await call(node, 'ots_getTransactionBySenderAndNonce', [address, 1])).toBeNull()
  const unknown = `0x${'11'.repeat(32)}`
  for (const method of ['ots_getInternalOperations', 'ots_traceTransaction', 'ots_getTransactionError']) {
    expect(await call(node, method, [unknown])).toBeNull()
  }
  expect((await refusal(node, 'ots_getBlockDetails', ['0x9'])).kind).toBe('unknownBlock')
})
