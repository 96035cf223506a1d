/** ots_*: what the Otterscan explorer asks. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node.ts'
import { assembleCode } from '../../support/bytecode.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

const PAYER = `0x${'c0'.repeat(20)}`
const RECEIVER = `0x${'dd'.repeat(20)}`

/** Makes a contract whose code is one zero byte, and sends a wei to RECEIVER. */
const CREATE_AND_PAY = `1 0 0 CREATE POP 0 0 0 0 1 ${RECEIVER} GAS CALL STOP`
/** Init code of a contract of one byte that is no code of use. */
const ONE_BYTE = '1 0 RETURN'

const send = async (node: Node, fields: object): Promise<string> =>
  call(node, 'eth_sendTransaction', [{ from: node.funded[0]!.address, gas: '0x30d40', ...fields }])

/** Blocks: a transfer, a creation, a call that pays from within, a revert, an empty one, and a transfer of another. */
async function withHistory(network: string) {
  const node = await freshNode({ network, dialect: 'ethereum' })
  const [sender, other] = node.funded.map(({ address }) => address)
  await call(node, 'hardhat_setCode', [PAYER, toHex(assembleCode(CREATE_AND_PAY))])
  await call(node, 'hardhat_setBalance', [PAYER, '0x10'])
  const transfer = await send(node, { to: RECEIVER, value: '0x5' })
  const creation = await send(node, { data: toHex(assembleCode(ONE_BYTE)) })
  const payment = await send(node, { to: PAYER })
  const revert = await send(node, { data: toHex(assembleCode('0xdeadbeef 0 MSTORE 4 28 REVERT')) })
  await call(node, 'evm_mine')
  const last = await send(node, { from: other, to: sender, value: '0x1' })
  const { contractAddress } = await call(node, 'eth_getTransactionReceipt', [creation])
  return { node, sender: sender!, other: other!, transfer, creation, payment, revert, last, contractAddress }
}

const hashesOf = ({ txs }: { txs: readonly { hash: string }[] }) => txs.map(({ hash }) => hash)

describe.each(['ethereum', 'network-33'])('on %s', (network) => {
  test('transactions are shown with their calls, errors and what they move inside', async () => {
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

  test('a contract knows its creator, also one made from within; what no transaction made has none', async () => {
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

  test('the history of an account goes from page to page without gap or repetition', async () => {
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

  test('an account that only calls inside touched is found, and who was in no call is not', async () => {
    const { node, transfer, payment } = await withHistory(network)
    const page = await call(node, 'ots_searchTransactionsBefore', [RECEIVER, 0, 10])
    expect(hashesOf(page)).toEqual([payment, transfer])
    expect([page.firstPage, page.lastPage]).toEqual([true, true])
    const { timestamp } = await call(node, 'eth_getBlockByNumber', ['0x3'])
    expect(page.receipts[0].timestamp).toBe(timestamp)
    const nobody = await call(node, 'ots_searchTransactionsAfter', [`0x${'ee'.repeat(20)}`, 0, 10])
    expect(nobody).toEqual({ txs: [], receipts: [], firstPage: true, lastPage: true })
  })

  test('a block tells its fees, and its transactions in pages from its end', async () => {
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

test.each(['ethereum', 'network-33'])(
  'searches step over a billion reserved blocks, on %s',
  async (network) => {
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
  },
)

test('a transaction is found by sender and nonce, and unknown ones are null or refused', async () => {
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
