/** Bundles: their results are those of the same transactions once they are mined in one block. */

import { describe, expect, test } from '@jest/globals'
import { concat, keccak256, numberToHex } from 'viem'
import type { Hex } from 'viem'
import { toHex } from '../../../lib/base/hex.ts'
import { FEDERATORS } from '../../../lib/networks/network-33/aux-chain/registration.ts'
import { BRIDGE_ADDRESS as BRIDGE } from '../../../lib/networks/network-33/bridge/constants.ts'
import type { Node } from '../../../lib/node/node.ts'
import { CONTRACTS, assembleCode } from '../../support/bytecode.ts'
import { fingerprint } from '../../support/fingerprint.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { EVERYTHING, tracedNode } from '../../support/tracing.ts'

const BLOCK = `0x${'cc'.repeat(20)}`
const REVERTS = `0x${'dd'.repeat(20)}`
const GWEI = 1_000_000_000n

/** Returns what a contract sees of its block. */
const SEES = assembleCode(
  'NUMBER 0 MSTORE TIMESTAMP 32 MSTORE COINBASE 64 MSTORE PREVRANDAO 96 MSTORE GASLIMIT 128 MSTORE BASEFEE 160 MSTORE 1 NUMBER SUB BLOCKHASH 192 MSTORE COINBASE BALANCE 224 MSTORE 256 0 RETURN',
)

async function nodeWithContracts(): Promise<Node> {
  const node = await freshNode({ network: 'ethereum', returnHashOnRevert: true })
  await call(node, 'hardhat_setCode', [BLOCK, toHex(SEES)])
  await call(node, 'hardhat_setCode', [REVERTS, toHex(CONTRACTS.revert)])
  await call(node, 'evm_mine')
  return node
}

/** Signs transactions of the first account, with consecutive nonces. */
async function signAll(node: Node, transactions: readonly object[]): Promise<readonly Hex[]> {
  const [from] = await call(node, 'eth_accounts')
  const nonce = Number(await call(node, 'eth_getTransactionCount', [from]))
  const fees = { maxFeePerGas: numberToHex(9n * GWEI), maxPriorityFeePerGas: numberToHex(2n * GWEI) }
  const signed: Hex[] = []
  for (const [index, transaction] of transactions.entries()) {
    const filled = { from, gas: '0x7a120', nonce: numberToHex(nonce + index), ...fees, ...transaction }
    signed.push((await call(node, 'eth_signTransaction', [filled])).raw)
  }
  return signed
}

const bundle = (node: Node, txs: readonly Hex[], more: object = {}) =>
  call(node, 'eth_callBundle', [{ txs, blockNumber: '0x2', stateBlockNumber: 'latest', ...more }])

/** Mines the transactions in one block, and describes them as a bundle does. */
async function mined(node: Node, txs: readonly Hex[]) {
  await call(node, 'evm_setAutomine', [false])
  for (const raw of txs) await call(node, 'eth_sendRawTransaction', [raw])
  const before = await call(node, 'eth_getBlockByNumber', ['latest', false])
  await call(node, 'evm_mine')
  const block = await call(node, 'eth_getBlockByNumber', ['latest', false])
  expect(block.transactions).toHaveLength(txs.length)
  const balanceAt = async (number: string) =>
    BigInt(await call(node, 'eth_getBalance', [block.miner, number]))
  const results = []
  for (const hash of block.transactions) {
    const { gasUsed, from, to, effectiveGasPrice } = await call(node, 'eth_getTransactionReceipt', [hash])
    const { output = '0x', error } = await call(node, 'debug_traceTransaction', [
      hash,
      { tracer: 'callTracer' },
    ])
    const gasFees = BigInt(gasUsed) * (BigInt(effectiveGasPrice) - BigInt(block.baseFeePerGas))
    results.push({
      txHash: hash,
      fromAddress: from,
      toAddress: to,
      gasUsed: Number(gasUsed),
      gasFees: String(gasFees),
      ...(error === undefined
        ? { value: output }
        : error === 'execution reverted'
          ? { error, revert: output }
          : {}),
    })
  }
  const coinbaseDiff = (await balanceAt(block.number)) - (await balanceAt(before.number))
  return { results, coinbaseDiff: String(coinbaseDiff), totalGasUsed: Number(block.gasUsed) }
}

describe('eth_callBundle', () => {
  test('results are those of the block that has the transactions', async () => {
    const node = await nodeWithContracts()
    const { miner, timestamp } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    const txs = await signAll(node, [
      { to: BLOCK },
      { to: miner, value: '0x5' },
      { to: REVERTS, data: '0xc0ffee' },
      { data: '0x60006000f3', maxPriorityFeePerGas: '0x0' },
      { to: BLOCK, maxPriorityFeePerGas: '0x7' },
    ])
    const time = numberToHex(BigInt(timestamp) + 100n)
    const cells = fingerprint(node.instance)
    const found = await bundle(node, txs, { timestamp: time })
    expect(fingerprint(node.instance)).toEqual(cells)
    await call(node, 'evm_setNextBlockTimestamp', [time])
    expect(found).toMatchObject(await mined(node, txs))
    expect(found.results.map(({ ethSentToCoinbase }: any) => ethSentToCoinbase)).toEqual([
      '0',
      '5',
      '0',
      '0',
      '0',
    ])
    expect(found.bundleHash).toBe(keccak256(concat(found.results.map(({ txHash }: any) => txHash))))
    expect(BigInt(found.coinbaseDiff)).toBe(BigInt(found.gasFees) + 5n)
    expect(BigInt(found.bundleGasPrice)).toBe(BigInt(found.coinbaseDiff) / BigInt(found.totalGasUsed))
    expect(found.stateBlockNumber).toBe(1)
  })

  test('so are those of calls of every kind', async () => {
    const { node, tracer, dataOf } = await tracedNode({ network: 'ethereum' })
    const calls = EVERYTHING.map(([name, args, value]) => ({
      to: tracer,
      data: dataOf(name, args),
      value: numberToHex(value),
      gas: '0x1e8480',
    }))
    const txs = await signAll(node, calls)
    const found = await bundle(node, txs, { blockNumber: '0x2' })
    expect(found).toMatchObject(await mined(node, txs))
  })

  test('the block is as the request says, on an older state', async () => {
    const node = await nodeWithContracts()
    const txs = await signAll(node, [{ to: BLOCK }])
    const [from] = await call(node, 'eth_accounts')
    await call(node, 'eth_sendTransaction', [{ from, to: BLOCK }])
    expect((await refusal(node, 'eth_callBundle', [{ txs, blockNumber: '0x9' }])).message).toContain(
      'nonce 0',
    )
    const coinbase = `0x${'ab'.repeat(20)}`
    const members = {
      stateBlockNumber: '0x1',
      timestamp: 2_000_000_000,
      coinbase,
      gasLimit: '0x989680',
      baseFee: '0x9',
    }
    const { results, stateBlockNumber } = await bundle(node, txs, { blockNumber: '0x9', ...members })
    const words = results[0].value
      .slice(2)
      .match(/.{64}/g)
      .map((word: string) => BigInt(`0x${word}`))
    expect(words.slice(0, 3)).toEqual([9n, 2_000_000_000n, BigInt(coinbase)])
    expect(words.slice(4, 6)).toEqual([10_000_000n, 9n])
    expect(stateBlockNumber).toBe(1)
  })

  test('on network 33 fees do not go to the coinbase at once', async () => {
    const node = await freshNode()
    const [from] = await call(node, 'eth_accounts')
    const { raw } = await call(node, 'eth_signTransaction', [
      { from, to: from, gas: '0x5208', gasPrice: '0x7', nonce: '0x0', value: '0x0' },
    ])
    const { results } = await bundle(node, [raw], { blockNumber: '0x1' })
    expect(results).toMatchObject([
      { gasUsed: 21_000, gasFees: '147000', coinbaseDiff: '0', ethSentToCoinbase: '0' },
    ])
  })

  test.each([
    [
      'no transactions',
      { txs: [] },
      'params[0].txs (bundle): expected an array of 1 to 1000 signed transactions',
    ],
    ['no block number', { txs: ['0x00'], blockNumber: undefined }, 'params[0].blockNumber'],
    ['a transaction that is none', { txs: ['0xc0'] }, 'members'],
    ['an unknown state', { stateBlockNumber: '0x99' }, 'Block 0x99 not found'],
    ['an unknown member', { builder: 1 }, 'expected an object with txs, blockNumber'],
    ['more gas than the block has', { gasLimit: '0x5208' }, 'has gas 500000, left 21000'],
    [
      'a base fee above the maximum',
      { baseFee: '0x3b9aca0000' },
      'max fee per gas 9000000000 is below the base fee',
    ],
  ])('refuses %s', async (_case, change, message) => {
    const node = await nodeWithContracts()
    const request = { txs: await signAll(node, [{ to: BLOCK }]), blockNumber: '0x3', ...change }
    expect((await refusal(node, 'eth_callBundle', [request])).message).toContain(message)
  })
})

test('a free call of the Bridge on network 33 costs nothing', async () => {
  const node = await freshNode({ federation: 'off' })
  const { privateKey } = FEDERATORS[0]!
  const from = await call(node, 'personal_importRawKey', [toHex(privateKey).slice(2), ''])
  await call(node, 'personal_unlockAccount', [from, '', '0xffffff'])
  // getBestChainHeight through a transaction.
  const request = {
    from,
    to: BRIDGE,
    gas: '0x186a0',
    gasPrice: '0x0',
    value: '0x0',
    nonce: '0x0',
    data: '0x14c89c01',
  }
  const { raw } = await call(node, 'eth_signTransaction', [request])
  const answer = await bundle(node, [raw], { blockNumber: '0x1' })
  expect(answer).toMatchObject({ bundleGasPrice: '0', gasFees: '0', coinbaseDiff: '0', totalGasUsed: 0 })
})
