/** Receipts as nodes of other networks and times give them. */

import { expect, test } from '@jest/globals'
import { asHash, fromHex } from '../../lib/base/hex.ts'
import { loadNetwork } from '../support/networks.ts'
import { parseBlock, parseReceipts } from '../../lib/fork/remote-block.ts'
import { receiptObject } from '../../lib/schema/results.ts'
import { call, freshNode } from '../support/node.ts'
import { askAbout, remoteBlock, renderedAnswers, without } from './support/remote-block.ts'
import type { RemoteAnswers } from './support/remote-block.ts'

const ethereum = loadNetwork('ethereum')
const LOGGING = `0x${'10'.repeat(20)}`

/** A block with two transactions, of which each logs twice. */
async function answersOf(): Promise<RemoteAnswers> {
  const node = await freshNode({ network: 'ethereum', noMining: true })
  await call(node, 'hardhat_setCode', [LOGGING, '0x60006000a060006000a0'])
  const [from] = node.funded.map(({ address }) => address)
  const request = { from, to: LOGGING, gas: '0x30000' }
  for (const value of ['0x1', '0x2']) await call(node, 'eth_sendTransaction', [{ ...request, value }])
  await call(node, 'evm_mine')
  return askAbout((method, params) => call(node, method, params), 'latest')
}

test('a receipt from before Byzantium has its state root instead of a status', async () => {
  const root = asHash(`0x${'05'.repeat(32)}`)
  const answers = await answersOf()
  const receipts = answers.receipts.map((receipt) => ({ ...without(['status'], receipt), root }))
  const old = { ...answers, receipts }
  const rendered = renderedAnswers(old, ethereum)
  expect(rendered.receipts).toEqual(receipts)
  expect(() => receiptObject.parse(rendered.receipts[0])).not.toThrow()
  const block = remoteBlock(old, ethereum)
  const encoded = block.header.consensus.encodeReceipt(block.receipts[0]!)
  expect(Buffer.from(encoded).includes(Buffer.from(fromHex(root)))).toBe(true)
})

test('a root beside a status is ignored', async () => {
  const answers = await answersOf()
  const receipts = answers.receipts.map((receipt) => ({ ...receipt, root: '0x' }))
  expect(renderedAnswers({ ...answers, receipts }, ethereum).receipts).toEqual(answers.receipts)
})

test('receipts are found by their transactions, and those of other transactions ignored', async () => {
  const { full, receipts } = await answersOf()
  const { transactions } = parseBlock(full, ethereum)
  const other = { ...receipts[0], transactionHash: `0x${'99'.repeat(32)}` }
  const mixed = [receipts[1], other, receipts[0]]
  expect(parseReceipts(mixed, transactions)).toEqual(parseReceipts(receipts, transactions))
})

test('the first log of a receipt has the index that the remote says, or the next one', async () => {
  const { full, receipts } = await answersOf()
  const { transactions } = parseBlock(full, ethereum)
  const unnumbered = receipts.map((receipt) => ({
    ...receipt,
    logs: receipt.logs.map((log: object) => without(['logIndex'], log)),
  }))
  const first = (read: readonly { firstLogIndex: number }[]) => read.map(({ firstLogIndex }) => firstLogIndex)
  expect(first(parseReceipts(receipts, transactions))).toEqual([0, 2])
  expect(first(parseReceipts(unnumbered, transactions))).toEqual([0, 2])
})
