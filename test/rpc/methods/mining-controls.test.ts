/** Methods that set when the node mines. */

import { describe, expect, test } from '@jest/globals'
import { keccak256, keccak512 } from 'ethereum-cryptography/keccak.js'
import { fromHex, toHex } from '../../../lib/base/hex.ts'
import { doubleSha256 } from '../../../lib/crypto/sha256.ts'
import type { Node } from '../../../lib/node/node.ts'
import { coinbaseFor, isSolved } from '../../modules/network-33/support/aux-blocks.ts'
import {
  FORMS,
  branchOf,
  findBlock,
  plain,
  solve,
  takeWork,
  type FoundBlock,
} from '../../modules/network-33/support/pool.ts'
import { ownFields } from '../../support/networks.ts'
import { ManualHost, call, elapse, freshNode, refusal } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'

test('mining follows automine, the interval, miner_start and miner_stop', async () => {
  const host = new ManualHost()
  const node = await freshNode({}, host)
  const send = () => call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, gas: '0x5208' }])
  await call(node, 'evm_setAutomine', [false])
  expect(await call(node, 'hardhat_getAutomine')).toBe(false)
  await send()
  expect(await call(node, 'eth_blockNumber')).toBe('0x0')
  await call(node, 'evm_setAutomine', [true])
  expect(await call(node, 'eth_blockNumber')).toBe('0x1')
  await call(node, 'evm_setIntervalMining', [2000])
  expect(await call(node, 'anvil_getIntervalMining')).toBe(2)
  await elapse(node, host, 4000)
  expect(await call(node, 'eth_blockNumber')).toBe('0x3')
  await call(node, 'anvil_setIntervalMining', [0])
  await elapse(node, host, 4000)
  expect(await call(node, 'eth_blockNumber')).toBe('0x3')
  await call(node, 'miner_start')
  await send()
  expect(await call(node, 'eth_blockNumber')).toBe('0x4')
  await call(node, 'miner_stop')
  await send()
  expect(await call(node, 'eth_blockNumber')).toBe('0x4')
})

test.each([
  ['hardhat', '0x0', '0x1'],
  ['node33', '0x1', '0x2'],
  ['ethereum', '0x1', '0x2'],
] as const)('automine, turned on in the dialect %s, leaves %s blocks', async (dialect, height, next) => {
  const node = await freshNode()
  const send = () => call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, gas: '0x5208' }])
  await call(node, 'evm_setAutomine', [false])
  await send()
  await call(node, 'evm_setAutomine', [true], dialect)
  expect(await call(node, 'eth_blockNumber')).toBe(height)
  await send()
  // In Hardhat, one block has both.
  expect(await call(node, 'eth_blockNumber')).toBe(next)
  expect((await call(node, 'txpool_status')).pending).toBe(0)
})

describe('the interval between blocks', () => {
  test.each([
    ['evm_setIntervalMining', 'node33', 0.002],
    ['evm_setIntervalMining', 'hardhat', 0.002],
    ['evm_setIntervalMining', 'ethereum', 2],
    ['hardhat_setIntervalMining', 'ethereum', 0.002],
    ['anvil_setIntervalMining', 'hardhat', 2],
  ] as const)('2 given to %s in dialect %s is %d s', async (name, dialect, span) => {
    const node = await freshNode()
    await call(node, name, [2], dialect)
    expect(await call(node, 'anvil_getIntervalMining')).toBe(span)
  })

  test('keeps automine on in the dialect of Hardhat', async () => {
    const host = new ManualHost()
    const node = await freshNode({}, host)
    const height = () => call(node, 'eth_blockNumber')
    await call(node, 'evm_setIntervalMining', [2000])
    expect(await call(node, 'hardhat_getAutomine')).toBe(true)
    await call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, gas: '0x5208' }])
    expect(await height()).toBe('0x1')
    await elapse(node, host, 4000)
    expect(await height()).toBe('0x3')
    await call(node, 'evm_setAutomine', [false])
    await call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, gas: '0x5208' }])
    expect(await height()).toBe('0x3')
    await call(node, 'evm_setAutomine', [true])
    expect(await height()).toBe('0x4')
    await call(node, 'evm_setIntervalMining', [0])
    await elapse(node, host, 4000)
    expect([await call(node, 'hardhat_getAutomine'), await height()]).toEqual([true, '0x4'])
  })

  test('is random for each block between the two bounds of Hardhat', async () => {
    const host = new ManualHost()
    const node = await freshNode({}, host)
    await call(node, 'evm_setIntervalMining', [[2000, 5000]])
    const gaps = new Set<number>()
    let minedAt = host.now()
    for (let block = 1; block <= 10; block++) {
      while ((await call(node, 'eth_blockNumber')) !== `0x${block.toString(16)}`)
        await elapse(node, host, 250)
      gaps.add(host.now() - minedAt)
      minedAt = host.now()
    }
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1750)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(5250)
    expect(gaps.size).toBeGreaterThan(3)
  })

  test('replaces automine in the dialect of Anvil, and automine ends it', async () => {
    const node = await freshNode()
    const state = async () => [
      await call(node, 'hardhat_getAutomine'),
      await call(node, 'anvil_getIntervalMining'),
    ]
    await call(node, 'evm_setIntervalMining', [2], 'ethereum')
    expect(await state()).toEqual([false, 2])
    await call(node, 'evm_setAutomine', [true], 'ethereum')
    expect(await state()).toEqual([true, null])
    await call(node, 'evm_setIntervalMining', [2], 'ethereum')
    await call(node, 'evm_setIntervalMining', [0], 'ethereum')
    expect(await state()).toEqual([false, null])
  })

  test('is at most a day, in seconds and in milliseconds', async () => {
    const node = await freshNode()
    await expect(call(node, 'evm_setIntervalMining', [86_401], 'ethereum')).rejects.toThrow(
      'params[0] (interval): expected a span of time of up to a day, in seconds',
    )
    await expect(call(node, 'evm_setIntervalMining', [[1, 2]], 'ethereum')).rejects.toThrow('in seconds')
    for (const range of [[2, 1], [0, 5], [1], [1, 86_400_001]]) {
      await expect(call(node, 'evm_setIntervalMining', [range])).rejects.toThrow('or [least, most]')
    }
    await expect(call(node, 'evm_setIntervalMining', [86_400_001])).rejects.toThrow('up to a day')
    expect(await call(node, 'hardhat_getAutomine')).toBe(true)
  })
})

describe('a solution by eth_submitWork', () => {
  /** Submits nonces until one makes the block; returns the rejected nonces, and the accepted one. */
  const solve = async (node: Node, work: string, mix: string) => {
    const nonceOf = (value: number) => `0x${value.toString(16).padStart(16, '0')}`
    for (let value = 0; ; value++)
      if (await call(node, 'eth_submitWork', [nonceOf(value), work, mix]))
        return { wrong: Array.from({ length: value }, (_, n) => n), value, nonce: nonceOf(value) }
  }

  const isWithin = (hash: Uint8Array, target: string) => BigInt(toHex(hash)) <= BigInt(target)

  test('makes the block once where ethash accepts the nonce', async () => {
    const node = await freshNode({ network: 'ethereum', mining: 'manual' })
    const mix = `0x${'17'.repeat(32)}`
    const [work, , target] = await call(node, 'eth_getWork')
    const { wrong, value, nonce } = await solve(node, work, mix)
    const finalHash = (nonceValue: number) => {
      const littleEndian = Buffer.alloc(8)
      littleEndian.writeUInt32LE(nonceValue)
      const seed = keccak512(new Uint8Array([...fromHex(work), ...littleEndian]))
      return keccak256(new Uint8Array([...seed, ...fromHex(mix)]))
    }
    expect(isWithin(finalHash(value), target)).toBe(true)
    expect(wrong.filter((each) => isWithin(finalHash(each), target))).toEqual([])
    expect(await call(node, 'eth_getBlockByNumber', ['latest'])).toMatchObject({ number: '0x1', nonce })
    expect(await call(node, 'eth_submitWork', [nonce, work, mix])).toBe(false)
  })

  test('makes the block once where the auxiliary header with the nonce meets the target', async () => {
    const node = await freshNode({ mining: 'manual' })
    const mix = `0x${'00'.repeat(32)}`
    const [work, , target] = await call(node, 'eth_getWork')
    expect(await call(node, 'eth_submitWork', ['0x0000000100000000', work, mix])).toBe(false)
    const { wrong, value, nonce } = await solve(node, work, mix)
    const { aux } = ownFields(node.chain.head.block.header)!
    const hashWith = (nonceValue: number) => {
      const header = Uint8Array.from(aux.header)
      new DataView(header.buffer).setUint32(76, nonceValue, true)
      return doubleSha256(header).reverse()
    }
    expect(hashWith(value)).toEqual(doubleSha256(aux.header).reverse())
    expect(isWithin(hashWith(value), target)).toBe(true)
    expect(wrong.filter((each) => isWithin(hashWith(each), target))).toEqual([])
    expect(await call(node, 'eth_blockNumber')).toBe('0x1')
    expect(await call(node, 'eth_submitWork', [nonce, work, mix])).toBe(false)
  })
})

describe('the hash rate', () => {
  test('is the work of the last hour per second', async () => {
    const node = await freshNode()
    await call(node, 'evm_mine', [{ blocks: '0xe0f' }])
    expect([await call(node, 'eth_hashrate'), await call(node, 'eth_netHashrate')]).toEqual(['0x0', 0])
    await call(node, 'evm_mine')
    expect([await call(node, 'eth_hashrate'), await call(node, 'eth_netHashrate')]).toEqual(['0x1', 1])
    await call(node, 'evm_increaseTime', ['0x1'])
    expect(await call(node, 'eth_netHashrate')).toBe(0)
  })

  test('counts reports of miners for ten seconds', async () => {
    const host = new ManualHost()
    const node = await freshNode({}, host)
    const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
    await call(node, 'eth_submitHashrate', [word(5), word(1)])
    await call(node, 'eth_submitHashrate', [word(7), word(2)])
    host.step(9_999)
    await call(node, 'eth_submitHashrate', [word(11), word(2)])
    expect(await call(node, 'eth_hashrate')).toBe('0x10')
    host.step(1)
    expect(await call(node, 'eth_hashrate')).toBe('0xb')
    expect(await call(node, 'eth_netHashrate')).toBe(0)
  })
})

const TO = `0x${'bb'.repeat(20)}`
const TAG = '52534b424c4f434b3a'
const BEST = toHex(Buffer.from('IMPORTED_BEST'))
const externalNode = () => freshNode({ mining: 'external' })

/** Sends a transfer of an account, which stays pooled. */
function transfer(node: Node, account: number, gasPrice: string): Promise<string> {
  const from = node.funded[account]!.address
  return call(node, 'eth_sendTransaction', [{ from, to: TO, gas: '0x5208', gasPrice, value: '0x5' }])
}

const blockNumber = (node: Node) => call(node, 'eth_blockNumber')
const latest = (node: Node) => call(node, 'eth_getBlockByNumber', ['latest', false])
const methods = Object.keys(FORMS)

describe('a block submitted by a pool', () => {
  const rows = methods.flatMap((method) =>
    [0, 1, 2, 4, 8].map((others): [string, number] => [method, others]),
  )

  test.each(rows)(
    'by %s with %d other transactions becomes the head with its transactions',
    async (method, others) => {
      const node = await externalNode()
      const hashes = [await transfer(node, 0, '0x2'), await transfer(node, 1, '0x1')]
      const found = findBlock(coinbaseFor(await takeWork(node)), others)
      const answer = await call(node, method, FORMS[method]!(found))
      const head = await latest(node)
      expect(answer).toEqual({ blockImportedResult: BEST, blockHash: head.hash, blockIncludedHeight: '0x1' })
      expect(head.transactions).toEqual(hashes)
      expect(await call(node, 'eth_getTransactionReceipt', [hashes[0]])).toMatchObject({
        blockHash: head.hash,
      })
      expect(await call(node, 'eth_getBalance', [TO])).toBe('0xa')
      expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
    },
  )

  test.each(methods)('by %s carries the header, the proof and the compressed coinbase', async (method) => {
    const node = await externalNode()
    const work = await takeWork(node)
    const found = findBlock(coinbaseFor(work), 4)
    await call(node, method, FORMS[method]!(found))
    const head = await latest(node)
    expect(head).toMatchObject({
      hashForMergedMining: work,
      auxMergedMiningHeader: toHex(found.header),
      auxMergedMiningMerkleProof: toHex(Buffer.concat(branchOf(found).map((one) => one.toReversed()))),
    })
    // The midstate covers 64 bytes; the tag follows them.
    expect(head.auxMergedMiningCoinbaseTransaction).toMatch(/^0x0{14}40/)
    expect(head.auxMergedMiningCoinbaseTransaction).toContain(`0029${TAG}${work.slice(2)}00000000`)
  })

  test('may have a coinbase with a witness, which its id does not cover', async () => {
    const node = await externalNode()
    const { header, transactions } = findBlock(coinbaseFor(await takeWork(node)))
    const bare = plain(transactions[0]!)
    // Marker and flag behind the version, one item of two bytes before the lock time.
    const whole = `${bare.slice(0, 8)}0001${bare.slice(8, -8)}0102abcd${bare.slice(-8)}`
    const answer = await call(node, 'mnr_submitAuxBlock', [`${plain(header)}01${whole}`])
    expect(answer.blockImportedResult).toBe(BEST)
  })
})

/** A coinbase whose second output has this script. */
function withScript(script: string): Uint8Array {
  const length = (script.length / 2).toString(16).padStart(2, '0')
  const begin = `0100000001${'00'.repeat(32)}ffffffff00ffffffff0200f2052a0100000001510000000000000000`
  return fromHex(`0x${begin}${length}${script}00000000`)
}

/** The bytes with one changed. */
function changed(bytes: Uint8Array, position: number): Uint8Array {
  return bytes.with(position < 0 ? bytes.length + position : position, bytes.at(position)! ^ 1)
}

const withCoinbase = ({ header, transactions }: FoundBlock, coinbase: Uint8Array): FoundBlock => ({
  header,
  transactions: [coinbase, ...transactions.slice(1)],
})

describe('the check of a submitted block', () => {
  const coinbaseOf = ({ transactions }: FoundBlock) => transactions[0]!
  const UNKNOWN = /^Cannot publish block, could not find hash 0x\w{64} in the cache/
  const invalid = (fault: string) =>
    new RegExp(`^Invalid block supplied by miner: \\w{64} \\w{64} at height 1: ${fault}$`)
  const OTHER_ROOT = invalid('the Merkle root does not match')
  const twice = (first: string, second: string) => withScript(`${TAG}${first}${TAG}${second}`)
  const rows: readonly (readonly [string, RegExp, (found: FoundBlock, work: string) => FoundBlock])[] = [
    ['the tag', UNKNOWN, (found) => withCoinbase(found, changed(coinbaseOf(found), 66))],
    ['the hash behind the tag', UNKNOWN, (found) => withCoinbase(found, changed(coinbaseOf(found), 80))],
    ['a byte before the tag', OTHER_ROOT, (found) => withCoinbase(found, changed(coinbaseOf(found), 50))],
    ['a byte behind the hash', OTHER_ROOT, (found) => withCoinbase(found, changed(coinbaseOf(found), -1))],
    [
      'another transaction',
      OTHER_ROOT,
      ({ header, transactions: [coinbase, , ...others] }) => ({
        header,
        transactions: [coinbase!, coinbase!, ...others],
      }),
    ],
    ['the Merkle root', OTHER_ROOT, (found) => resolved({ ...found, header: changed(found.header, 36) })],
    ['the nonce', invalid('the hash of the header is above the target'), (found) => unsolved(found)],
    [
      'a later tag with another hash',
      UNKNOWN,
      (_, work) => findBlock(twice(work.slice(2), '12'.repeat(32)), 3),
    ],
    [
      'the tag and the hash twice',
      invalid('the tag is not the last one'),
      (_, work) => findBlock(twice(work.slice(2), work.slice(2)), 3),
    ],
    [
      '129 bytes behind the hash',
      invalid('more than 128 bytes follow the hash'),
      (_, work) => findBlock(withScript(`${TAG}${work.slice(2)}${'00'.repeat(125)}`), 3),
    ],
  ]
  const cases = rows.flatMap((row) => methods.map((method) => [row[0], method, row[1], row[2]] as const))

  test.each(cases)('%s, by %s', async (_part, method, message, spoil) => {
    const node = await externalNode()
    await transfer(node, 0, '0x1')
    const work = await takeWork(node)
    const before = [await latest(node), await call(node, 'txpool_status')]
    const error = await refusal(node, method, FORMS[method]!(spoil(findBlock(coinbaseFor(work), 3), work)))
    expect(error.kind).toBe('submissionRefused')
    expect(error.message).toMatch(message)
    expect([await latest(node), await call(node, 'txpool_status')]).toEqual(before)
  })

  test('a coinbase without a tag is refused with that reason', async () => {
    const node = await externalNode()
    const found = findBlock(withScript('51'))
    const { message } = await refusal(node, 'mnr_submitAuxBlock', FORMS['mnr_submitAuxBlock']!(found))
    expect(message).toBe(
      `Cannot publish block, could not find hash 0x${'00'.repeat(32)} in the cache: the coinbase has no tag and hash`,
    )
  })

  test.each([
    ['header', 1, '00'.repeat(79)],
    ['header', 1, 'xyz'],
    ['coinbase', 2, '0100'],
    ['transactionHashes', 3, 'abcd'],
    ['transactionHashes', 3, ''],
  ])('an undecodable %s is a wrong param with its name', async (name, position, text) => {
    const node = await externalNode()
    const params = FORMS['mnr_submitAuxBlockTransactions']!(findBlock(coinbaseFor(await takeWork(node))))
    const { kind, message } = await refusal(
      node,
      'mnr_submitAuxBlockTransactions',
      params.with(position, text),
    )
    expect(kind).toBe('invalidParams')
    expect(message).toContain(name)
  })
})

/** The same header with a nonce that solves it, or does not. */
function resolved({ header, transactions }: FoundBlock): FoundBlock {
  return { header: withNonce(header, isSolved), transactions }
}

function unsolved({ header, transactions }: FoundBlock): FoundBlock {
  return { header: withNonce(header, (one) => !isSolved(one)), transactions }
}

function withNonce(header: Uint8Array, matchesSubscription: (header: Uint8Array) => boolean): Uint8Array {
  const tried = Uint8Array.from(header)
  for (let nonce = 0; !matchesSubscription(tried); nonce++)
    new DataView(tried.buffer).setUint32(76, nonce, true)
  return tried
}

describe('external mining', () => {
  test('refuses requests for blocks, and drops their timestamps', async () => {
    const node = await externalNode()
    const message = 'the node makes no blocks: mining is external, miners submit the blocks'
    const requests: readonly (readonly [string, readonly unknown[]])[] = [
      ['evm_mine', []],
      ['evm_mine', [{ blocks: 2, timestamp: 2_000_000_000 }]],
      ['hardhat_mine', ['0x2', '0x5']],
    ]
    for (const [method, params] of requests) {
      expect(await refusal(node, method, params)).toEqual({ kind: 'miningRefused', message })
    }
    expect(await blockNumber(node)).toBe('0x0')
    await solve(node, await takeWork(node))
    expect(BigInt((await latest(node)).timestamp)).toBeLessThan(2_000_000_000n)
  })

  test('keeps transactions pooled, also after evm_startMining and evm_stopMining', async () => {
    const node = await externalNode()
    const hash = await transfer(node, 0, '0x1')
    await call(node, 'evm_startMining')
    await call(node, 'evm_stopMining')
    expect((await refusal(node, 'evm_mine')).kind).toBe('miningRefused')
    expect([await blockNumber(node), await call(node, 'eth_mining')]).toEqual(['0x0', false])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toBeNull()
    expect(await call(node, 'txpool_status')).toEqual({ pending: 1, queued: 0 })
  })
})
