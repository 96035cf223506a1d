/** Smaller questions of eth_* about blocks, accounts and fees. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node.ts'
import { CONTRACTS, creationCode } from '../../support/bytecode.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

const TO = `0x${'bb'.repeat(20)}`
const UNKNOWN = `0x${'11'.repeat(32)}`

const latest = (node: Node) => call(node, 'eth_getBlockByNumber', ['latest'])

async function afterTransfer() {
  const node = await freshNode()
  const from = node.funded[0]!.address
  const hash = await call(node, 'eth_sendTransaction', [{ from, to: TO, value: '0x5' }])
  return { node, from, hash, block: await latest(node) }
}

describe('references to a block', () => {
  const asking: readonly (readonly [string, (block: unknown) => readonly unknown[]])[] = [
    ['eth_getBalance', (block) => [TO, block]],
    ['eth_getCode', (block) => [TO, block]],
    ['eth_getStorageAt', (block) => [TO, '0x0', block]],
    ['eth_getTransactionCount', (block) => [TO, block]],
    ['eth_getProof', (block) => [TO, [], block]],
    ['eth_getAccountInfo', (block) => [TO, block]],
    ['eth_call', (block) => [{ to: TO }, block]],
    ['eth_estimateGas', (block) => [{ to: TO }, block]],
    ['eth_createAccessList', (block) => [{ to: TO }, block]],
    ['eth_simulateV1', (block) => [{ blockStateCalls: [{}] }, block]],
    ['eth_getBlockReceipts', (block) => [block]],
  ]

  test.each(asking)('of %s: number, hash and both objects mean the same block', async (method, paramsOf) => {
    const { node, block } = await afterTransfer()
    await call(node, 'evm_mine')
    const references = [
      block.hash,
      { blockHash: block.hash },
      { blockHash: block.hash, requireCanonical: true },
      { blockNumber: block.number },
    ]
    const expected = await call(node, method, paramsOf(block.number))
    for (const reference of references)
      expect(await call(node, method, paramsOf(reference))).toEqual(expected)
  })

  test.each(asking)('of %s: a block that was taken back is not canonical', async (method, paramsOf) => {
    const node = await freshNode()
    const id = await call(node, 'evm_snapshot')
    await call(node, 'evm_mine')
    const { hash } = await latest(node)
    await call(node, 'evm_revert', [id])
    const params = paramsOf({ blockHash: hash, requireCanonical: true })
    if (method === 'eth_getBlockReceipts') expect(await call(node, method, params)).toBeNull()
    else expect((await refusal(node, method, params)).kind).toBe('unknownBlock')
  })
})

test('transactions by position carry an id, others do not', async () => {
  const { node, hash, block } = await afterTransfer()
  const plain = await call(node, 'eth_getTransactionByHash', [hash])
  expect(plain).not.toHaveProperty('_id')
  for (const [method, where] of [
    ['eth_getTransactionByBlockHashAndIndex', block.hash],
    ['eth_getTransactionByBlockNumberAndIndex', block.number],
  ]) {
    expect(await call(node, method, [where, '0x0'])).toEqual({ ...plain, _id: hash })
  }
})

test('a transaction is found by sender and nonce, mined or waiting, and no other', async () => {
  const { node, from, hash } = await afterTransfer()
  const find = async (sender: unknown, nonce: string) =>
    (await call(node, 'eth_getTransactionBySenderAndNonce', [sender, nonce]))?.hash
  const send = () => call(node, 'eth_sendTransaction', [{ from, to: TO }])
  await call(node, 'hardhat_mine', ['0x3'])
  const second = await send()
  await call(node, 'evm_mine')
  await call(node, 'evm_setAutomine', [false])
  const waiting = await send()
  const nonces = ['0x0', '0x1', '0x2', '0x3']
  expect(await Promise.all(nonces.map((nonce) => find(from, nonce)))).toEqual([
    hash,
    second,
    waiting,
    undefined,
  ])
  expect(await find(TO, '0x0')).toBeUndefined()
})

test('the receipts of a block are those of its transactions', async () => {
  const { node, hash, block } = await afterTransfer()
  const receipt = await call(node, 'eth_getTransactionReceipt', [hash])
  expect(await call(node, 'eth_getBlockReceipts', [block.hash])).toEqual([receipt])
  expect(await call(node, 'eth_getBlockReceipts', [UNKNOWN])).toBeNull()
  expect(await call(node, 'eth_getBlockReceipts', ['pending'])).toBeNull()
})

test('the blocks at a height are the one of the chain', async () => {
  const { node, block } = await afterTransfer()
  const { hash, totalDifficulty, number } = block
  expect(await call(node, 'eth_getBlocksByNumber', [number])).toEqual([
    { hash, totalDifficulty, inMainChain: true },
  ])
  expect(await call(node, 'eth_getBlocksByNumber', [String(Number(number))])).toHaveLength(1)
})

test('an account in one answer is what the single ones say', async () => {
  const node = await freshNode()
  const from = node.funded[0]!.address
  const data = toHex(creationCode(CONTRACTS.store))
  const hash = await call(node, 'eth_sendTransaction', [{ from, data, gas: '0x186a0', value: '0x3' }])
  const { contractAddress } = await call(node, 'eth_getTransactionReceipt', [hash])
  for (const address of [from, contractAddress, TO]) {
    expect(await call(node, 'eth_getAccountInfo', [address])).toEqual({
      balance: await call(node, 'eth_getBalance', [address]),
      nonce: await call(node, 'eth_getTransactionCount', [address]),
      code: await call(node, 'eth_getCode', [address]),
    })
  }
})

describe('uncles', () => {
  test('of a block that is there are none', async () => {
    const { node, block } = await afterTransfer()
    expect(await call(node, 'eth_getUncleCountByBlockHash', [block.hash])).toBe('0x0')
    expect(await call(node, 'eth_getUncleCountByBlockNumber', ['pending'])).toBe('0x0')
    expect(await call(node, 'eth_getUncleByBlockHashAndIndex', [block.hash, '0x0'])).toBeNull()
    expect(await call(node, 'eth_getUncleByBlockNumberAndIndex', [block.number, '0x0'])).toBeNull()
  })

  test('of a block that is not there: null by hash, an error by number', async () => {
    const node = await freshNode()
    expect(await refusal(node, 'eth_getUncleCountByBlockHash', [UNKNOWN])).toEqual({
      kind: 'unknownBlock',
      message: `Block with hash ${UNKNOWN} not found`,
    })
    expect((await refusal(node, 'eth_getUncleCountByBlockNumber', ['0x9'])).kind).toBe('unknownBlock')
  })
})

describe('usual fees', () => {
  test('are the price without the base fee', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const price = BigInt(await call(node, 'eth_gasPrice'))
    const tip = BigInt(await call(node, 'eth_maxPriorityFeePerGas'))
    expect(price - tip).toBe(BigInt((await call(node, 'eth_getBlockByNumber', ['pending'])).baseFeePerGas))
  })

  test.each([
    ['cancun', '0x1'],
    ['shanghai', '0x0'],
  ] as const)('of blobs under %s are %s', async (hardfork, fee) => {
    const node = await freshNode({ network: 'ethereum', hardfork })
    expect(await call(node, 'eth_blobBaseFee')).toBe(fee)
  })
})

test('a fresh chain knows no auxiliary block, and no release waits', async () => {
  expect(await call(await freshNode(), 'eth_bridgeState')).toEqual({
    auxBlockchainBestChainHeight: 0,
    nodeTxsWaitingForSignatures: [],
  })
})
