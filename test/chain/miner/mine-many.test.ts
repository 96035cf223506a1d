import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import { CONSOLIDATION_REQUESTS, WITHDRAWAL_REQUESTS } from '../../../lib/evm/system-contracts.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { assembleCode, creationCode } from '../../support/bytecode.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

/** Every block, with the hash of the state after it. */
const blocksOf = async (node: Node) => {
  const height = Number(await call(node, 'eth_blockNumber'))
  const numbers = Array.from({ length: height + 1 }, (_, number) => `0x${number.toString(16)}`)
  return Promise.all(numbers.map((number) => call(node, 'eth_getBlockByNumber', [number, true])))
}

/** The chain, time and state that requests return. */
const seenOf = async (node: Node) => ({
  blocks: await blocksOf(node),
  now: node.clock.now,
  pending: await call(node, 'eth_getBlockByNumber', ['pending', false]),
  root: node.chain.head.block.header.stateRoot,
})

/** Two nodes with the same requests. One of them has a block filter, so that none of its blocks is reserved. */
async function pair(options: OptionsInput, story: (node: Node) => Promise<void>): Promise<[Node, Node]> {
  const [lazy, watched] = [await freshNode(options), await freshNode(options)]
  await call(watched, 'eth_newBlockFilter', [])
  for (const node of [lazy, watched]) await story(node)
  return [lazy, watched]
}

const NETWORKS: readonly [string, OptionsInput][] = [
  ['network 33', { network: 'network-33' }],
  ['network 33 with its system transaction', { network: 'network-33', systemTransaction: true }],
  ['London', { network: 'ethereum', hardfork: 'london', genesisTimestamp: '1700000000' }],
  ['Osaka', { network: 'ethereum', hardfork: 'osaka', genesisTimestamp: '1700000000' }],
  ['equal times', { network: 'network-33', allowSameTimestamp: true }],
]

const mine = (...params: string[]) => [['hardhat_mine', params]] as const

const STORIES: readonly [string, readonly (readonly [string, readonly unknown[]])[]][] = [
  ['blocks', mine('0x1e')],
  ['blocks with a gap', mine('0x1e', '0x3c')],
  ['blocks of one time', mine('0x1e', '0x0')],
  ['blocks after blocks', [...mine('0x5'), ...mine('0x5', '0x9'), ['evm_mine', []], ...mine('0x7')]],
  ['a time of the first', [['evm_setNextBlockTimestamp', ['0x65ffffff']], ...mine('0xa')]],
  ['a gap that holds', [['anvil_setBlockTimestampInterval', ['0x7']], ...mine('0xa')]],
  ['a run long enough to be reserved', mine('0x2bc', '0x3')],
  [
    'settings that come later',
    [
      ...mine('0xa'),
      ['hardhat_setCoinbase', [`0x${'ab'.repeat(20)}`]],
      ['evm_increaseTime', ['0x64']],
      ...mine('0x3'),
    ],
  ],
  ['a time that comes later', [...mine('0xa'), ['evm_setTime', ['0x7fffffff']], ['evm_mine', []]]],
]

describe.each(NETWORKS)('on %s', (_network, options) => {
  test.each(STORIES)('%s are the same whether they are reserved or made at once', async (_story, steps) => {
    const [lazy, watched] = await pair(options, async (node) => {
      for (const [method, params] of steps) await call(node, method, params)
    })
    expect(await seenOf(lazy)).toEqual(await seenOf(watched))
  })
})

test('a base fee that falls until the end of a run falls in each of its blocks', async () => {
  const options = { network: 'ethereum', hardfork: 'osaka', genesisTimestamp: '1700000000' } as const
  const nodes = await pair(options, async (node) => {
    await call(node, 'hardhat_setNextBlockBaseFeePerGas', [`0x1${'0'.repeat(30)}`])
    await call(node, 'hardhat_mine', ['0x110'])
  })
  const [lazy, watched] = await Promise.all(nodes.map(seenOf))
  expect(lazy).toEqual(watched)
})

describe('execution requests that are queued', () => {
  const osaka = { network: 'ethereum', hardfork: 'osaka', genesisTimestamp: '1700000000' } as const

  /** Queues a number of consolidation requests in one block. It takes two of them, and every later block two more. */
  async function queue(node: Node, count: number): Promise<void> {
    const from = node.funded[0]!.address
    const request = {
      from,
      to: CONSOLIDATION_REQUESTS.address,
      data: `0x${'07'.repeat(96)}`,
      value: '0x3b9aca00',
    }
    await call(node, 'evm_stopMining', [])
    for (let index = 0; index < count; index++) {
      await call(node, 'eth_sendTransaction', [{ ...request, gas: '0x40000', gasPrice: '0x77359400' }])
    }
    await call(node, 'evm_mine', [])
  }

  test('are in the blocks of a run, which are the same whether they are reserved or made at once', async () => {
    const [lazy, watched] = await pair(osaka, async (node) => {
      await queue(node, 9)
      await call(node, 'hardhat_mine', ['0x64'])
    })
    expect(await seenOf(lazy)).toEqual(await seenOf(watched))
    const hashes = lazy.chain.at(5n)!.block.header.requestsHash
    expect(hashes).not.toBe(lazy.chain.at(6n)!.block.header.requestsHash)
  })

  test('are processed, and their excess is zero, before a million blocks are reserved', async () => {
    const node = await freshNode(osaka)
    const excess = [CONSOLIDATION_REQUESTS.address, '0x0']
    await call(node, 'hardhat_setStorageAt', [...excess, `0x${'00'.repeat(30)}02bc`])
    await call(node, 'hardhat_mine', ['0xf4240'])
    expect(BigInt(await call(node, 'eth_getStorageAt', [...excess, '0x2bb']))).toBe(1n)
    expect(BigInt(await call(node, 'eth_getStorageAt', [...excess, 'latest']))).toBe(0n)
    await queue(node, 1)
    expect(node.chain.head.block.requests).toHaveLength(1)
  })

  test.each([
    ['unknown code', 'hardhat_setCode', [WITHDRAWAL_REQUESTS.address, '0x5f5ff3']],
    [
      'an excess that does not end',
      'hardhat_setStorageAt',
      [WITHDRAWAL_REQUESTS.address, '0x0', `0x${'0f'.repeat(32)}`],
    ],
  ])('and %s allow no more blocks than can be made one by one', async (_case, method, params) => {
    const node = await freshNode(osaka)
    await call(node, method, params)
    expect(await refusal(node, 'hardhat_mine', ['0xf4240'])).toMatchObject({ kind: 'limitExceeded' })
    await call(node, 'hardhat_mine', ['0x12c'])
    expect(await call(node, 'eth_blockNumber', [])).toBe('0x12c')
  })
})

test.each([
  ['stays for a block', 1n],
  ['doubles', 2n],
])(
  'a pooled transaction is in the first block that can include it when the base fee %s',
  async (_case, factor) => {
    const node = await freshNode({ network: 'ethereum', mining: false })
    const [from, to] = node.funded
    const [latest, { baseFeePerGas: maxFeePerGas }] = await Promise.all(
      ['latest', 'pending'].map((tag) => call(node, 'eth_getBlockByNumber', [tag, false])),
    )
    const fields = { from: from!.address, to: to!.address, gas: '0x5208', maxPriorityFeePerGas: '0x0' }
    const hash = await call(node, 'eth_sendTransaction', [{ ...fields, maxFeePerGas }])
    // It sinks by an eighth with every empty block.
    const set = BigInt(latest.baseFeePerGas) * factor
    await call(node, 'hardhat_setNextBlockBaseFeePerGas', [`0x${set.toString(16)}`])
    await call(node, 'hardhat_mine', ['0xa'])
    const { blockNumber } = await call(node, 'eth_getTransactionReceipt', [hash])
    expect(Number(blockNumber)).toBeGreaterThan(1)
    expect(Number(blockNumber)).toBeLessThan(10)
  },
)

test('a log filter does not prevent reserved blocks, and collects every log', async () => {
  const node = await freshNode()
  const from = node.funded[0]!.address
  const id = await call(node, 'eth_newFilter', [{}])
  await call(node, 'hardhat_mine', ['0xf4240'])
  const snapshot = await call(node, 'evm_snapshot', [])
  const logging = toHex(creationCode(assembleCode('0 0 LOG0')))
  const hash = await call(node, 'eth_sendTransaction', [{ from, data: logging, gas: '0x30d40' }])
  const { contractAddress: to } = await call(node, 'eth_getTransactionReceipt', [hash])
  await call(node, 'eth_sendTransaction', [{ from, to, gas: '0x30d40' }])
  const [log] = await call(node, 'eth_getFilterChanges', [id])
  expect(log).toMatchObject({ blockNumber: '0xf4242', removed: false })
  await call(node, 'hardhat_mine', ['0xf4240'])
  expect(await call(node, 'evm_revert', [snapshot])).toBe(true)
  expect(await call(node, 'eth_getFilterChanges', [id])).toEqual([{ ...log, removed: true }])
})

describe('while many blocks are mined for a block filter', () => {
  /** Begins to mine blocks, and reads the number of the newest one until all are mined. */
  const mineWatched = async (node: Node, count: number) => {
    await call(node, 'eth_newBlockFilter', [])
    let isOver = false
    const mining = call(node, 'hardhat_mine', [`0x${count.toString(16)}`]).finally(() => (isOver = true))
    const reading = async () => {
      const seen: number[] = []
      while (!isOver) {
        seen.push(Number(await call(node, 'eth_blockNumber', [])))
        await new Promise((resolve) => setImmediate(resolve))
      }
      return seen
    }
    return { mining, reading: reading() }
  }

  test('reads are served, and writes wait', async () => {
    const node = await freshNode()
    const { mining, reading } = await mineWatched(node, 1_500)
    const snapshot = call(node, 'evm_snapshot', [])
    // A read that comes after a write that waits.
    expect(Number(await call(node, 'eth_blockNumber', []))).toBe(256)
    await mining
    const seen = (await reading).filter((height) => height < 1_500)
    expect(new Set(seen)).toEqual(new Set([256, 512, 768, 1024, 1280]))
    await call(node, 'evm_mine', [])
    expect(await call(node, 'evm_revert', [await snapshot])).toBe(true)
    expect(node.chain.height).toBe(1_500n)
  })

  test('closing the node ends it, and the state file has the blocks that were made', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dev-node-run-'))
    const state = join(folder, 'chain.state')
    const node = await freshNode({ state })
    const { mining, reading } = await mineWatched(node, 50_000)
    const ended = expect(mining).rejects.toThrow('the node was closed after 256 of 50000 blocks')
    await call(node, 'eth_blockNumber', [])
    await node.close()
    await ended
    await reading
    const again = await freshNode({ state })
    expect(again.chain.height).toBe(256n)
    await rm(folder, { recursive: true })
  })
})
