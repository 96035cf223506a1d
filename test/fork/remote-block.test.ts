/** Blocks of a remote node that is this node: what is read from its answers gives the same answers again. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { asAddress, toHex } from '../../lib/base/hex.ts'
import { encodeBlock } from '../../lib/chain/raw-forms.ts'
import type { Block } from '../../lib/chain/block.ts'
import { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { encodeHeader, headerHash } from '../../lib/chain/header.ts'
import type { Header } from '../../lib/networks/consensus/consensus.ts'
import { HARDFORKS } from '../../lib/config/eips.ts'
import { loadNetwork } from '../support/networks.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import { parseBlock, parseUncle } from '../../lib/fork/remote-block.ts'
import { sealBlock } from '../../lib/chain/miner/seal.ts'
import type { Node } from '../../lib/node/node.ts'
import { renderBlock } from '../../lib/rpc/render/block.ts'
import { ACCOUNT, sentBlobs } from '../support/blobs.ts'
import { variant } from '../modules/network-33/support/merged-mining.ts'
import { call, freshNode } from '../support/node.ts'
import { askAbout, remoteBlock, renderedAnswers, without } from './support/remote-block.ts'
import { signed } from '../support/signing.ts'

const LOGGING = asAddress(`0x${'10'.repeat(20)}`)
const REVERTING = `0x${'11'.repeat(20)}`
const FAILING = `0x${'12'.repeat(20)}`
const IMPERSONATED = `0x${'13'.repeat(20)}`
const CODES: readonly (readonly [address: string, code: string])[] = [
  // Two logs: one with two topics, one without data.
  [LOGGING, '0x60aa60bb60206000a260006000a000'],
  [REVERTING, '0x60006000fd'],
  [FAILING, '0xfe'],
]

/** Init code that stores one byte as code. */
const CREATION = '0x600160005260016000f3'
const FAILED_CREATION = '0x60006000fd'

const authorizing = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

/** Transactions of every type that the network has, by their members. */
async function requestsOf(node: Node): Promise<readonly object[]> {
  const [from] = node.funded.map(({ address }) => address)
  const types = new Set(node.codec.types)
  const gas = '0x30000'
  const listed = [{ address: LOGGING, storageKeys: [`0x${'07'.repeat(32)}`] }]
  const legacy = [
    { from, gas, to: LOGGING, value: '0x5' },
    { from, gas, to: REVERTING },
    { from, gas, to: FAILING },
    { from, gas, data: CREATION },
    { from, gas, data: FAILED_CREATION },
    { from: IMPERSONATED, gas, to: LOGGING, data: '0x1234' },
  ].map((one) => ({ ...one, gasPrice: '0x77359400' }))
  const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3' }
  const signature = await authorizing.signAuthorization({ chainId: 0, contractAddress: LOGGING, nonce: 0 })
  const authorization = {
    chainId: '0x0',
    address: LOGGING,
    nonce: '0x0',
    yParity: `0x${signature.yParity}`,
    r: `0x${BigInt(signature.r).toString(16)}`,
    s: `0x${BigInt(signature.s).toString(16)}`,
  }
  return [
    ...legacy,
    ...(types.has(1) ? [{ from, gas, to: LOGGING, accessList: listed, gasPrice: '0x77359400' }] : []),
    ...(types.has(2)
      ? [
          { from, gas, to: LOGGING, ...fees },
          { from: IMPERSONATED, gas, to: LOGGING, ...fees },
        ]
      : []),
    ...(types.has(4) ? [{ from, gas, to: REVERTING, ...fees, authorizationList: [authorization] }] : []),
  ]
}

/** A node with all of them in block 1. */
async function nodeWithEverything(options: Parameters<typeof freshNode>[0]): Promise<Node> {
  const node = await freshNode({ noMining: true, ...options })
  for (const [address, code] of CODES) await call(node, 'hardhat_setCode', [address, code])
  await call(node, 'hardhat_setBalance', [IMPERSONATED, '0xde0b6b3a7640000'])
  await call(node, 'hardhat_impersonateAccount', [IMPERSONATED])
  for (const request of await requestsOf(node)) await call(node, 'eth_sendTransaction', [request])
  return node
}

async function ethereumNode(hardfork: Hardfork): Promise<Node> {
  const node = await nodeWithEverything({ network: 'ethereum', hardfork })
  // No chain id in the signature, as before EIP-155.
  const unprotected = await ACCOUNT.signTransaction({
    type: 'legacy',
    nonce: Number(await call(node, 'eth_getTransactionCount', [ACCOUNT.address, 'pending'])),
    to: LOGGING,
    gas: 100_000n,
    gasPrice: 2_000_000_000n,
  })
  await call(node, 'eth_sendRawTransaction', [unprotected])
  if (node.codec.types.includes(3)) {
    const nonce = Number(await call(node, 'eth_getTransactionCount', [ACCOUNT.address, 'pending']))
    await call(node, 'eth_sendRawTransaction', [
      await sentBlobs(HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf('osaka') ? 1 : 0, {
        nonce,
        count: 2,
        to: LOGGING,
      }),
    ])
  }
  if (HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf('shanghai')) {
    const withdrawal = { index: '0x1', validatorIndex: '0x2a', address: LOGGING, amount: '0x7' }
    await call(node, 'dev_addWithdrawal', [withdrawal])
  }
  await call(node, 'evm_mine')
  return node
}

/** Blocks 1 to 3 of network 33: transactions, none, and uncles. */
async function node33(): Promise<Node> {
  const node = await nodeWithEverything({ systemTransaction: true })
  await call(node, 'eth_sendRawTransaction', [signed({ nonce: 5n, chainId: undefined, gasPrice: 10n ** 9n })])
  await call(node, 'evm_mine')
  await call(node, 'evm_mine')
  const parent = node.chain.head
  const { state } = parent
  const unknown = variant({ number: 1n, difficulty: 3n, extraData: Uint8Array.of(1, 2, 3) })
  const uncles = [unknown, parent.block.header]
  const context = node.miner.nextBlockContext()
  const block = sealBlock(node.network, { parent, context, receipts: [], state, uncles })
  node.chain.add(new ChainEntry({ block, state, parent }))
  return node
}

/** The fields of a header that answers tell: not the ancestry, and on Ethereum not the fees. */
function toldHeader({ own, ...fields }: Header) {
  if (own === undefined) return without(['paidFees', 'minimumGasPrice'], fields)
  return { ...fields, ...without(['ancestry', 'remoteHash'], own) }
}

/** The members of a block that answers tell: not its access list, and not the return data, exceptions and refunds of its transactions. */
const told = (block: Block) => ({
  ...without(['remote', 'accessList'], block),
  header: toldHeader(block.header),
  uncles: block.uncles.map(toldHeader),
  receipts: block.receipts.map(({ outcome, ...receipt }) => {
    return { ...receipt, outcome: without(['gasNeeded', 'blockGas', 'returnData', 'exception'], outcome) }
  }),
})

async function expectSameBlock(node: Node, number: string): Promise<void> {
  const answers = await askAbout((method, params) => call(node, method, params), number)
  const { full, hashes, receipts, logs } = answers
  expect(renderedAnswers(answers, node.network)).toEqual({ full, hashes, receipts, logs })
  const block = remoteBlock(answers, node.network)
  expect(told(block)).toEqual(told(node.chain.get({ hash: full.hash }).block))
  expect(toHex(encodeBlock(block))).toBe(await call(node, 'debug_getRawBlock', [number]))
  expect(toHex(encodeHeader(block.header))).toBe(await call(node, 'debug_getRawHeader', [number]))
}

describe.each(HARDFORKS)('blocks of %s', (hardfork) => {
  test('are the blocks of their node and give its answers', async () => {
    const node = await ethereumNode(hardfork)
    const mined = await call(node, 'eth_getBlockByNumber', ['0x1', true])
    const types = [
      ...new Set(mined.transactions.map(({ type }: { type: string }) => Number(type))),
    ].toSorted()
    expect(types).toEqual(node.codec.types.toSorted())
    for (const number of ['0x0', '0x1']) await expectSameBlock(node, number)
  })
})

describe('blocks of network 33', () => {
  test('are the blocks of their node and give its answers', async () => {
    const node = await node33()
    expect(node.chain.head.block.uncles).toHaveLength(2)
    expect(node.chain.at(1n)?.block.receipts).toHaveLength(8)
    for (const number of ['0x0', '0x1', '0x2', '0x3']) await expectSameBlock(node, number)
  })
})

test('hashes, size and difficulties are those that the remote says', async () => {
  const node = await node33()
  const answers = await askAbout((method, params) => call(node, method, params), '0x3')
  const [hash, first, second] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`)
  const full = { ...answers.full, hash, uncles: [first, second], size: '0x7', cumulativeDifficulty: '0x9' }
  const { number, totalDifficulty } = full
  const rendered = renderedAnswers({ ...answers, full, logs: [] }, node.network).full
  expect(rendered).toMatchObject({ number, hash, uncles: [first, second], size: '0x7', totalDifficulty })
  expect(rendered.cumulativeDifficulty).toBe('0x9')
})

test('a remote that says no total difficulty, as after the merge, has that of the block alone', async () => {
  const node = await ethereumNode('osaka')
  const full = without(['totalDifficulty', 'size'], await call(node, 'eth_getBlockByNumber', ['0x1', true]))
  const { totalDifficulty, remote } = parseBlock({ ...full, difficulty: '0x5' }, node.network)
  expect([totalDifficulty, remote.size]).toEqual([5n, undefined])
})

test('the reference node of network 33 leaves members out, and gives a missing signature as null', async () => {
  const node = await node33()
  const answers = await askAbout((method, params) => call(node, method, params), '0x1')
  const transactions = answers.full.transactions.map((transaction: { r: string }) => ({
    ...without(['chainId', 'blockTimestamp'], transaction),
    ...(transaction.r === '0x0' && { v: null, r: null, s: null }),
  }))
  const sparse = (log: object) => without(['removed', 'blockTimestamp'], log)
  const receipts = answers.receipts.map((receipt) => ({ ...receipt, logs: receipt.logs.map(sparse) }))
  const full = without(['mixHash', 'nonce'], { ...answers.full, transactions })
  const theirs = { ...answers, full, receipts, logs: answers.logs.map(sparse) }
  expect(transactions.at(-1)).toMatchObject({ from: `0x${'00'.repeat(20)}`, r: null })
  expect(remoteBlock(theirs, node.network)).toEqual(remoteBlock(answers, node.network))
  expect(renderedAnswers(theirs, node.network)).toEqual(renderedAnswers(answers, node.network))
})

test.each([0, 1, 2] as const)('a header of version %s is read as one', async (version) => {
  const { network } = await freshNode()
  const baseEvent = version === 2 ? Uint8Array.of(7) : new Uint8Array(0)
  const header = variant({ number: 9n }, { version, baseEvent })
  const block = { header, hash: headerHash(header), receipts: [], uncles: [], totalDifficulty: 1n }
  const parsed = parseUncle(renderBlock({ block, isPending: false }, true), network)
  expect(toldHeader(parsed.header)).toEqual(toldHeader(header))
})

test('a block is read under the names of the network and under neutral names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'))
  const network = join(folder, 'acme.json')
  writeFileSync(network, JSON.stringify({ extends: 'network-33', names: { module: 'acme', aux: 'pow' } }))
  const [named, neutral] = await Promise.all(
    [{ network }, {}].map(async (options) => {
      const node = await freshNode(options)
      await call(node, 'evm_mine')
      return call(node, 'eth_getBlockByNumber', ['0x1', true])
    }),
  )
  expect(Object.keys(named)).toEqual(expect.arrayContaining(['powMergedMiningHeader', 'acmePteEdges']))
  expect(Object.keys(neutral)).toEqual(expect.arrayContaining(['auxMergedMiningHeader', 'nodePteEdges']))
  const own = loadNetwork(network)
  rmSync(folder, { recursive: true })
  const expected = parseBlock(neutral, loadNetwork('network-33'))
  expect(parseBlock(named, own)).toEqual(expected)
  expect(parseBlock(neutral, own)).toEqual(expected)
})
