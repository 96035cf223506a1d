import { describe, expect, test } from '@jest/globals'
import { asHash, toWord } from '../../lib/base/hex.ts'
import { CompressibleText } from '../../lib/base/compressed-texts.ts'
import type { Block, Receipt } from '../../lib/chain/block.ts'
import { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { PackedBlock } from '../../lib/chain/packed-block.ts'
import { bloomOf } from '../../lib/evm/bloom.ts'
import type { Transaction } from '../../lib/evm/transaction.ts'
import { KeptTries } from '../../lib/state/kept-tries.ts'
import { compressibleState } from '../../lib/state/packed-state.ts'
import { call, freshNode } from '../support/node.ts'
import { packUpTo } from '../support/packing.ts'
import { addressOf, transactionOf } from '../support/transactions.ts'

const word = (value: number) => asHash(toWord(BigInt(value)))

const accessList = [{ address: addressOf(3), storageKeys: [word(1), word(2)] }]

const authorizationList = [
  { chainId: 1n, address: addressOf(4), nonce: 2n ** 64n - 1n, yParity: 1n, r: 2n ** 255n, s: 3n },
]

/** A transaction of every type. */
const TRANSACTIONS: readonly Partial<Transaction>[] = [
  { type: 0, to: undefined, data: new Uint8Array(100).fill(7), chainId: undefined },
  { type: 1, accessList },
  { type: 2, accessList: [], maxPriorityFeePerGas: 2n ** 200n },
  { type: 3, accessList: [], maxFeePerBlobGas: 5n, blobVersionedHashes: [word(9), word(10)] },
  { type: 4, accessList: [], authorizationList },
]

const logs = [1, 2].map((topic) => ({
  address: addressOf(7),
  topics: [word(topic), word(5)],
  data: new Uint8Array(96).fill(topic, 31, 32),
}))

/** A receipt with everything that an outcome can have. */
function receiptOf(given: Partial<Transaction>, index: number): Receipt {
  const transaction = { ...transactionOf(), ...given, hash: word(100 + index) }
  const outcome = {
    status: 'failed',
    gasUsed: 21_000n,
    gasNeeded: 30_000n,
    fee: 2n ** 90n,
    blobGas: { used: 131_072n, price: 1n },
    logs,
    logsBloom: bloomOf(logs),
    returnData: Uint8Array.of(0, 1, 255),
    contractAddress: addressOf(8),
    exception: 'out of gas: caf\u00e9 \u{1f600}',
    consoleCalls: { inputs: [Uint8Array.of(1, 2)], omitted: 3 },
  } as const
  return {
    transaction,
    outcome,
    index,
    cumulativeGasUsed: 7n,
    firstLogIndex: 2 * index,
    effectiveGasPrice: 0n,
  }
}

describe.each(['network-33', 'ethereum'])('a packed block of %s', (network) => {
  test('is equal after it is unpacked, with transactions of every type', async () => {
    const { chain } = await freshNode({ network })
    const { header } = chain.head.block
    const withdrawals = [{ index: 1n, validatorIndex: 2n, address: addressOf(5), amount: 2n ** 64n - 1n }]
    const block: Block = {
      header: { ...header, logsBloom: bloomOf(logs) },
      hash: word(99),
      receipts: TRANSACTIONS.map(receiptOf),
      uncles: [header, header],
      chainId: 77n,
      withdrawals,
      requests: [Uint8Array.of(1, 2, 3)],
      totalDifficulty: 2n ** 80n,
    }
    const packed = new PackedBlock(block)
    expect(packed.unpack()).toStrictEqual(block)
    expect(packed.hash).toBe(block.hash)
    expect(packed.transactionHashes).toEqual(block.receipts.map(({ transaction }) => transaction.hash))
    expect(packed.hasLogs).toBe(true)
  })

  test('unpacks to the same object while that is in use', async () => {
    const { chain } = await freshNode({ network })
    const packed = new PackedBlock(chain.head.block)
    expect(packed.unpack()).toBe(packed.unpack())
  })
})

/** Creation code that sets slot 0, logs under two topics, and returns code of one byte. */
const CREATION = '0x602a60005560073360206000a260016000f3'

/** What a node answers about a block, its transactions and the state after it. */
async function answersAt(node: Awaited<ReturnType<typeof freshNode>>, number: number, accounts: string[]) {
  const tag = `0x${number.toString(16)}`
  const block = await call(node, 'eth_getBlockByNumber', [tag, true])
  const answers: unknown[] = [
    block,
    await call(node, 'eth_getBlockByHash', [block.hash, false]),
    await call(node, 'eth_getBlockReceipts', [tag]),
    await call(node, 'eth_getLogs', [{ fromBlock: tag, toBlock: tag }]),
    await call(node, 'debug_getRawBlock', [tag]),
  ]
  for (const { hash } of block.transactions) {
    answers.push(await call(node, 'eth_getTransactionByHash', [hash]))
    answers.push(await call(node, 'eth_getTransactionReceipt', [hash]))
    answers.push(await call(node, 'debug_traceTransaction', [hash, { tracer: 'prestateTracer' }]))
  }
  for (const account of accounts) answers.push(await call(node, 'eth_getProof', [account, ['0x0'], tag]))
  return answers
}

test.each([
  ['network-33', {}],
  ['network-33', { systemTransaction: true }],
  ['ethereum', {}],
] as const)(
  'old blocks and states of %s with %j are answered as when they were new',
  async (network, options) => {
    const node = await freshNode({ network, ...options })
    const [from, to] = node.funded.map(({ address }) => address)
    const gas = '0x30000'
    await call(node, 'eth_sendTransaction', [{ from, to, value: '0x5', gas }])
    const created = await call(node, 'eth_sendTransaction', [{ from, data: CREATION, gas }])
    const { contractAddress } = await call(node, 'eth_getTransactionReceipt', [created])
    await call(node, 'eth_sendTransaction', [
      { from, to: contractAddress, value: '0x1', data: '0x1234', gas },
    ])
    if (network === 'ethereum') {
      const accessList = [{ address: to, storageKeys: [toWord(1n)] }]
      await call(node, 'eth_sendTransaction', [{ from, to, gas, gasPrice: '0x77359400', accessList }])
    }
    await call(node, 'evm_mine', [])
    const accounts = [from!, to!, contractAddress]
    const numbers = Array.from({ length: Number(node.chain.height) + 1 }, (_, number) => number)
    const ask = () => Promise.all(numbers.map((number) => answersAt(node, number, accounts)))
    const before = await ask()
    await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1', gas }])
    packUpTo(node.chain, node.chain.height)
    const oldest = numbers.slice(1).map((number) => node.chain.at(BigInt(number))!)
    expect(oldest.map(({ isPacked, state }) => [isPacked, state.hasTries])).toEqual(
      oldest.map(() => [true, false]),
    )
    expect(await ask()).toEqual(before)
  },
  60_000,
)

test('blocks and the states after them take less when they are compressed together', async () => {
  /** The blocks of a chain, lowest first. */
  async function entries(): Promise<readonly ChainEntry[]> {
    const node = await freshNode({ network: 'ethereum', genesisTimestamp: '1700000000' })
    const [from] = node.funded.map(({ address }) => address)
    for (let sent = 0; sent < 64; sent++)
      await call(node, 'eth_sendTransaction', [
        { from, to: addressOf(100 + sent), value: '0x1', gas: '0x5208' },
      ])
    return node.chain.entriesFrom(1).toReversed()
  }
  const textsOf = ({ packed, state }: ChainEntry) => [packed!, compressibleState(state)!]
  const sizeOf = (packed: readonly ChainEntry[]) =>
    packed.flatMap(textsOf).reduce((sum, { size }) => sum + size, 0)
  const together = await entries()
  ChainEntry.compress(together, new KeptTries())
  const apart = await entries()
  for (const entry of apart) entry.pack()
  for (const kind of [0, 1]) CompressibleText.compress(apart.map((entry) => textsOf(entry)[kind]!))
  expect(together.flatMap(textsOf).every(({ isCompressed }) => isCompressed)).toBe(true)
  expect(sizeOf(together)).toBeLessThan(sizeOf(apart) * 0.95)
})
