/** History of accounts for the Otterscan explorer. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import { assembleCode } from '../../support/bytecode.ts'
import { call, freshNode } from '../../support/node.ts'
import { PAYER, RECEIVER, ONE_BYTE, send, withHistory } from '../../support/otterscan.ts'

const hashesOf = ({ txs }: { txs: readonly { hash: string }[] }) => txs.map(({ hash }) => hash)

describe.each(['ethereum', 'network-33'])('on %s', (network) => {
  test('ots_getContractCreator finds the creation, and null for accounts without one', async () => {
    const { node, sender, creation, payment, contractAddress } = await withHistory(network)
    expect(await call(node, 'ots_getContractCreator', [contractAddress])).toEqual({
      hash: creation,
      creator: sender,
    })
    const [{ to: inner }] = await call(node, 'ots_getInternalOperations', [payment])
    // Nothing was stored there as code.
    expect(await call(node, 'ots_getContractCreator', [inner])).toBeNull()
    expect(await call(node, 'ots_getContractCreator', [PAYER])).toBeNull()
    expect(await call(node, 'ots_hasCode', [contractAddress, 'latest'])).toBe(true)
    expect(await call(node, 'ots_hasCode', [contractAddress, '0x1'])).toBe(false)
  })

  test('pages of the history of an account have no gaps and no repetitions', async () => {
    const { node, sender, transfer, creation, payment, revert, last } = await withHistory(network)
    const newestFirst = [last, revert, payment, creation, transfer]
    for (const direction of ['Before', 'After'] as const) {
      const pages: (readonly string[])[] = []
      for (let block = '0x0', isEnd = false; !isEnd;) {
        const page = await call(node, `ots_searchTransactions${direction}`, [sender, block, 2])
        expect(page.receipts.map((receipt: any) => receipt.transactionHash)).toEqual(hashesOf(page))
        expect(page[direction === 'Before' ? 'firstPage' : 'lastPage']).toBe(block === '0x0')
        if (direction === 'Before') pages.push(hashesOf(page))
        else pages.unshift(hashesOf(page))
        isEnd = page[direction === 'Before' ? 'lastPage' : 'firstPage']
        block = page.txs.at(direction === 'Before' ? -1 : 0).blockNumber
      }
      expect(pages.flat()).toEqual(newestFirst)
      expect(pages).toHaveLength(3)
    }
  })

  test('the history has internal calls, and is empty for an account without calls', async () => {
    const { node, transfer, payment } = await withHistory(network)
    const page = await call(node, 'ots_searchTransactionsBefore', [RECEIVER, 0, 10])
    expect(hashesOf(page)).toEqual([payment, transfer])
    expect([page.firstPage, page.lastPage]).toEqual([true, true])
    const { timestamp } = await call(node, 'eth_getBlockByNumber', ['0x3'])
    expect(page.receipts[0].timestamp).toBe(timestamp)
    const unused = await call(node, 'ots_searchTransactionsAfter', [`0x${'ee'.repeat(20)}`, 0, 10])
    expect(unused).toEqual({ txs: [], receipts: [], firstPage: true, lastPage: true })
  })
})

test.each(['ethereum', 'network-33'])('searches skip a billion reserved blocks on %s', async (network) => {
  const node = await freshNode({ network, dialect: 'ethereum' })
  const sender = node.funded[0]!.address
  const first = await send(node, { to: RECEIVER, value: '0x1' })
  await call(node, 'hardhat_mine', ['0x3b9aca00'])
  const creation = await send(node, { data: toHex(assembleCode(ONE_BYTE)) })
  const { contractAddress } = await call(node, 'eth_getTransactionReceipt', [creation])
  await call(node, 'hardhat_mine', ['0x3b9aca00'])
  await call(node, 'eth_getBlockByNumber', ['latest'])
  const startedAtMs = performance.now()
  expect(hashesOf(await call(node, 'ots_searchTransactionsBefore', [sender, 0, 9]))).toEqual([
    creation,
    first,
  ])
  expect(hashesOf(await call(node, 'ots_searchTransactionsAfter', [sender, 2, 9]))).toEqual([creation])
  expect(await call(node, 'ots_getContractCreator', [contractAddress])).toEqual({
    hash: creation,
    creator: sender,
  })
  expect(await call(node, 'ots_getContractCreator', [RECEIVER])).toBeNull()
  expect(await call(node, 'ots_getTransactionBySenderAndNonce', [sender, 1])).toBe(creation)
  expect(performance.now() - startedAtMs).toBeLessThan(1000)
})
