/** Transactions of other networks, and of nodes that leave members out. */

import { describe, expect, test } from '@jest/globals'
import { EMPTY_BYTES, asHash } from '../../lib/base/hex.ts'
import { loadNetwork } from '../support/networks.ts'
import { parseBlock } from '../../lib/fork/remote-block.ts'
import { encodeBlock } from '../../lib/chain/raw-forms.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import { call, freshNode } from '../support/node.ts'
import { askAbout, remoteBlock, renderedAnswers, without } from './support/remote-block.ts'
import type { RemoteAnswers } from './support/remote-block.ts'

const ethereum = loadNetwork('ethereum')
const HASH = asHash(`0x${'ab'.repeat(32)}`)
const FROM = `0x${'de'.repeat(20)}`
const TO = `0x${'42'.repeat(20)}`

/** A deposit from the other layer (OP Stack): it pays nothing for gas and has no signature. */
const DEPOSIT = {
  type: '0x7e',
  hash: HASH,
  from: FROM,
  to: TO,
  nonce: '0x7',
  gas: '0xf4240',
  gasPrice: '0x0',
  value: '0x5',
  input: '0x1234',
  mint: '0x9',
  sourceHash: `0x${'cd'.repeat(32)}`,
  isSystemTx: false,
  r: '0x0',
  s: '0x0',
  v: '0x0',
}

/** An internal transaction of another rollup, which has neither a nonce nor a signature. */
const INTERNAL = { type: '0x6a', hash: HASH, from: FROM, to: TO, gas: '0x0', value: '0x0', input: '0x' }

/** The answers about a block of this node in which a transaction is replaced by another one. */
async function answersWith(transaction: object): Promise<RemoteAnswers> {
  const node = await freshNode({ network: 'ethereum' })
  const [from] = node.funded.map(({ address }) => address)
  await call(node, 'eth_sendTransaction', [{ from, to: TO, gasPrice: '0x77359400' }])
  const answers = await askAbout((method, params) => call(node, method, params), 'latest')
  const place = Object.fromEntries(
    ['blockHash', 'blockNumber', 'blockTimestamp', 'transactionIndex'].map((name) => [
      name,
      answers.full.transactions[0][name],
    ]),
  )
  const { hash, type, to } = transaction as typeof DEPOSIT
  const [receipt] = answers.receipts
  return {
    ...answers,
    full: { ...answers.full, transactions: [{ ...transaction, ...place }] },
    receipts: [{ ...receipt, transactionHash: hash, type, from: FROM, to, effectiveGasPrice: '0x0' }],
  }
}

describe('a transaction of an unknown type', () => {
  test('keeps its type and its members, and so does its receipt', async () => {
    const answers = await answersWith(DEPOSIT)
    const own = { depositNonce: '0x7', l1Fee: '0x1', l1BaseFeeScalar: null }
    const receipts = [{ ...answers.receipts[0], ...own }]
    const rendered = renderedAnswers({ ...answers, receipts }, ethereum)
    expect(rendered.full).toEqual(answers.full)
    expect(rendered.hashes.transactions).toEqual([HASH])
    expect(rendered.receipts).toEqual(receipts)
  })

  test('has zeros for the members that it lacks', async () => {
    const { full } = renderedAnswers(await answersWith(INTERNAL), ethereum)
    const zeros = { nonce: '0x0', gasPrice: '0x0', v: '0x0', r: '0x0', s: '0x0' }
    expect(full.transactions[0]).toMatchObject({ ...INTERNAL, ...zeros })
    expect(full.transactions[0]).not.toHaveProperty('maxFeePerGas')
  })

  test('has no encoding, and its block has the size that the remote says', async () => {
    const answers = await answersWith(DEPOSIT)
    const block = remoteBlock({ ...answers, full: { ...answers.full, size: '0x1234' } }, ethereum)
    expect(block.receipts[0]?.transaction.encoded).toEqual(EMPTY_BYTES)
    expect(block.remote?.size).toBe(0x1234)
    expect(encodeBlock(block).length).toBeLessThan(0x1234)
  })
})

describe('a fork starts from a block', () => {
  const START = { network: 'ethereum', noForkCache: true } as const

  /** The gas limit and the newest block of a fork whose remote answers changed blocks. */
  async function started(change: (block: any) => object) {
    const changed = (item: any): unknown => {
      if (Array.isArray(item)) return item.map(changed)
      return typeof item.result === 'object' ? { ...item, result: change(item.result) } : item
    }
    const found: any[] = []
    await withFaultProxy(
      () => ({ change: changed }),
      async ({ httpUrl: forkUrl }) => {
        const node = await freshNode({ ...START, forkUrl })
        found.push(await call(node, 'eth_getBlockByNumber', ['latest', true]))
        await call(node, 'evm_mine')
        found.push(await call(node, 'eth_getBlockByNumber', ['latest', true]))
        await node.close()
      },
      { network: 'ethereum' },
    )
    return found
  }

  test('of Celo before it was a rollup, which has neither uncles nor difficulty nor gas limit', async () => {
    const absent = ['sha3Uncles', 'uncles', 'difficulty', 'gasLimit', 'mixHash', 'nonce', 'baseFeePerGas']
    const [head, mined] = await started((block) => without(absent, block))
    expect(head).toMatchObject({ difficulty: '0x0', gasLimit: '0x0', uncles: [] })
    expect(mined).toMatchObject({ number: '0x1', gasLimit: '0x1c9c380' })
  })

  test('of Hedera, which has no roots, and transactions without type, price and signature', async () => {
    const [head, mined] = await started((block) => ({
      ...block,
      stateRoot: '0x',
      receiptsRoot: '0x0',
      mixHash: '0x',
      nonce: '0x0',
      gasLimit: '0x0',
      gasUsed: '0x77',
      transactions: [{ ...DEPOSIT, type: null, gasPrice: null, v: null, r: null, s: null }],
    }))
    expect(head.transactions).toMatchObject([{ hash: HASH, type: '0x0', gasPrice: '0x0', r: '0x0' }])
    expect(mined).toMatchObject({ number: '0x1', gasLimit: '0x1c9c380' })
  })
})

describe('a transaction object', () => {
  /** A legacy transaction as nodes gave it before Berlin. */
  const old = {
    hash: HASH,
    nonce: '0x0',
    from: FROM,
    to: null,
    gas: '0x5208',
    gasPrice: '0x1',
    value: '0x0',
    input: '0x',
    v: '0x1b',
    r: '0x1',
    s: '0x2',
  }

  /** The transaction that a block object has. */
  async function read(transaction: object) {
    const { full } = await answersWith(old)
    return parseBlock({ ...full, transactions: [transaction] }, ethereum).transactions[0]!.transaction
  }

  test('without a type is a legacy transaction', async () => {
    expect(await read(old)).toMatchObject({ type: 0, to: undefined, chainId: undefined, v: 27n })
  })

  test('has the chain id of its signature', async () => {
    expect(await read({ ...old, v: '0x26', chainId: '0x5' })).toMatchObject({ chainId: 1n })
  })

  test('has no encoding if its members do not give its hash', async () => {
    expect((await read(old)).encoded).toEqual(EMPTY_BYTES)
  })

  test('of a typed transaction may have a parity instead of v, and no access list', async () => {
    const typed = without(['v'], { ...old, type: '0x2', chainId: '0x1', yParity: '0x1' })
    const fees = { maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x3' }
    expect(await read({ ...typed, ...fees })).toMatchObject({ v: 1n, accessList: [], maxFeePerGas: 9n })
  })
})

test('the paid price follows from the base fee if the remote leaves it out', async () => {
  const node = await freshNode({ network: 'ethereum' })
  const [from] = node.funded.map(({ address }) => address)
  await call(node, 'eth_sendTransaction', [
    { from, to: TO, maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3' },
  ])
  const answers = await askAbout((method, params) => call(node, method, params), 'latest')
  const transaction = without(['gasPrice'], answers.full.transactions[0])
  const receipt = without(['effectiveGasPrice'], answers.receipts[0])
  const full = { ...answers.full, transactions: [transaction] }
  const rendered = renderedAnswers({ ...answers, full, receipts: [receipt] }, ethereum)
  expect(rendered.full).toEqual(answers.full)
  expect(rendered.receipts).toEqual(answers.receipts)
})
