import { describe, expect, test } from '@jest/globals'
import { toWord } from '../../lib/base/hex.ts'
import type { OptionsInput } from '../../lib/config/options.ts'
import type { Node } from '../../lib/node.ts'
import { call, freshNode } from '../support/node.ts'

const hex = (number: number): string => `0x${number.toString(16)}`
const block = (node: Node, number: number | string) =>
  call(node, 'eth_getBlockByNumber', [typeof number === 'string' ? number : hex(number), false])
const heightOf = async (node: Node): Promise<number> => Number(await call(node, 'eth_blockNumber', []))

const NETWORKS: readonly [string, OptionsInput][] = [
  ['network 33', { network: 'network-33' }],
  ['Osaka', { network: 'ethereum', hardfork: 'osaka', genesisTimestamp: '1700000000' }],
]

const RECEIVER = `0x${'33'.repeat(20)}`
const send = (node: Node) =>
  call(node, 'eth_sendTransaction', [
    { from: node.funded[0]!.address, to: RECEIVER, value: '0x1', gas: '0x5208' },
  ])

describe('before the history of hashes is part of the state', () => {
  const LONDON = { network: 'ethereum', hardfork: 'london', genesisTimestamp: '1700000000' } as const

  test('blocks that are leapt over are those that would have been made', async () => {
    const [lazy, watched] = [await freshNode(LONDON), await freshNode(LONDON)]
    await call(watched, 'eth_newBlockFilter', [])
    for (const node of [lazy, watched]) await call(node, 'hardhat_mine', [hex(1_500), '0x3'])
    for (const number of [1_500, 700, 701, 1_243, 1_244, 1_245, 400, 150]) {
      expect(await block(lazy, number)).toEqual(await block(watched, number))
    }
    expect(await block(lazy, 'pending')).toEqual(await block(watched, 'pending'))
  })
})

describe.each(NETWORKS)('on %s, of a million blocks', (_network, options) => {
  // Looks are quick where few blocks lie between them and the beginning of a stretch of ten thousand.
  const MANY = 1_001_000

  /** A node on which one block was made by hand before. */
  async function leapt(gap = 5) {
    const node = await freshNode(options)
    await send(node)
    await call(node, 'hardhat_mine', [hex(MANY), hex(gap)])
    return node
  }

  test('each has its number and its time, and names the one before it', async () => {
    const node = await leapt()
    const { timestamp } = await block(node, 1)
    const time = Number((await block(node, 2)).timestamp)
    expect(time).toBeGreaterThan(Number(timestamp))
    for (const number of [MANY + 1, 500_600, 770_590, MANY - 300, 9_000]) {
      const [found, before] = [await block(node, number), await block(node, number - 1)]
      expect(found).toMatchObject({ number: hex(number), timestamp: hex(time + (number - 2) * 5) })
      expect(found.parentHash).toBe(before.hash)
      expect(Number(found.totalDifficulty) - Number(before.totalDifficulty)).toBe(Number(found.difficulty))
    }
  })

  test('they are found by hash once they were seen, also from one to the one before', async () => {
    const node = await leapt()
    let found = await block(node, 600_600)
    for (let number = 600_600; number > 600_590; number--) {
      expect(found.number).toBe(hex(number))
      expect(await call(node, 'eth_getBlockByHash', [found.hash, false])).toEqual(found)
      found = await call(node, 'eth_getBlockByHash', [found.parentHash, false])
    }
  })

  test('what is asked of them is what was before them', async () => {
    const node = await leapt()
    const at = hex(400_600)
    expect(await call(node, 'eth_getBalance', [RECEIVER, at])).toBe(
      await call(node, 'eth_getBalance', [RECEIVER, '0x1']),
    )
    expect(await call(node, 'eth_getBlockReceipts', [at])).toEqual([])
    expect(await call(node, 'debug_traceBlockByNumber', [at])).toEqual([])
    expect(await call(node, 'eth_call', [{ to: RECEIVER }, at])).toBe('0x')
    expect(await call(node, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])).toEqual([])
    const { oldestBlock, gasUsedRatio } = await call(node, 'eth_feeHistory', ['0x5', at, []])
    expect([oldestBlock, gasUsedRatio]).toEqual([hex(400_596), [0, 0, 0, 0, 0]])
  })

  test('what comes after them goes on from them, and a revert takes all of it back', async () => {
    const node = await freshNode(options)
    const before = await block(node, 'latest')
    const id = await call(node, 'evm_snapshot', [])
    await call(node, 'hardhat_mine', [hex(MANY)])
    const { hash, number, timestamp } = await block(node, 'latest')
    await send(node)
    const next = await block(node, 'latest')
    expect(next).toMatchObject({ parentHash: hash, number: hex(MANY + 1) })
    expect(Number(next.timestamp)).toBeGreaterThan(Number(timestamp))
    expect(number).toBe(hex(MANY))
    const seen = await block(node, 500_600)
    expect(await call(node, 'evm_revert', [id])).toBe(true)
    expect(await block(node, 'latest')).toEqual(before)
    expect(await block(node, 500_600)).toBeNull()
    expect(await call(node, 'eth_getBlockByHash', [seen.hash, false])).toBeNull()
  })

  test('one can go back into them, change the state there, and go on', async () => {
    const node = await leapt()
    const seen = await block(node, 700_601)
    await call(node, 'anvil_rollback', [hex(MANY - 700_600)])
    expect(await block(node, 'latest')).toEqual(seen)
    await call(node, 'hardhat_setBalance', [RECEIVER, '0x64'])
    await send(node)
    expect(await call(node, 'eth_getBalance', [RECEIVER, 'latest'])).toBe('0x65')
    expect(await call(node, 'eth_getBalance', [RECEIVER, hex(700_600)])).toBe('0x1')
    expect(await heightOf(node)).toBe(700_602)
    expect((await block(node, 'latest')).parentHash).toBe(seen.hash)
    await call(node, 'anvil_reorg', ['0x2', []])
    expect(await heightOf(node)).toBe(700_602)
    await expect(call(node, 'anvil_reorg', ['0x2711', []])).rejects.toThrow(/at most 10000/)
    expect(await heightOf(node)).toBe(700_602)
  })

  test('states before, within and after them can be jumped between', async () => {
    const node = await freshNode(options)
    await call(node, 'evm_snapshot', [{ name: 'before' }])
    await call(node, 'hardhat_mine', [hex(MANY)])
    await call(node, 'evm_snapshot', [{ name: 'after' }])
    const [seen, latest] = [await block(node, 300_600), await block(node, 'latest')]
    await call(node, 'anvil_rollback', [hex(MANY - 500_700)])
    await call(node, 'evm_snapshot', [{ name: 'within' }])
    const within = await block(node, 'latest')
    const expected = { before: await block(node, 0), within, after: latest }
    for (const name of ['before', 'after', 'within', 'before', 'within', 'after'] as const) {
      expect(await call(node, 'evm_revert', [name, { keep: true }])).toBe(true)
      expect(await block(node, 'latest')).toEqual(expected[name])
      expect(await block(node, 300_600)).toEqual(name === 'before' ? null : seen)
    }
  })

  test('a world and a state file have them', async () => {
    const node = await leapt()
    const numbers = [MANY + 1, MANY - 255, 650_721, 10_002, 10_001, 2]
    const expected = await Promise.all(numbers.map((number) => block(node, number)))
    await call(node, 'node_createWorld', [{ id: 'one' }])
    const other = await freshNode(options)
    await call(other, 'node_loadState', [await call(node, 'node_dumpState', [])])
    await call(node, 'anvil_rollback', [hex(MANY - 100)])
    expect(await Promise.all(numbers.map((number) => block(other, number)))).toEqual(expected)
    const { chain } = node.worlds.enter('one').chain
    expect(numbers.map((number) => chain.at(BigInt(number))?.block.hash)).toEqual(
      expected.map(({ hash }) => hash),
    )
    await send(other)
    expect(await heightOf(other)).toBe(MANY + 2)
  })
})

test('the contract that tells hashes of the last 8191 blocks knows them (EIP-2935)', async () => {
  const node = await freshNode({ network: 'ethereum', hardfork: 'osaka', genesisTimestamp: '1700000000' })
  await call(node, 'hardhat_mine', [hex(9_000)])
  await call(node, 'hardhat_mine', [hex(9_000)])
  const told = (number: number) =>
    call(node, 'eth_call', [
      { to: '0x0000f90827f1c53a10cb7a02335b175320002935', data: toWord(BigInt(number)) },
    ])
  for (const number of [17_999, 17_744, 17_743, 17_000, 10_000, 9_809]) {
    expect(await told(number)).toBe((await block(node, number)).hash)
  }
  await expect(told(9_808)).rejects.toThrow('reverted')
})

test('what waits in the pool and cannot be mined holds nothing up', async () => {
  const node = await freshNode({ network: 'network-33', mining: false })
  const [from] = node.funded
  await call(node, 'eth_sendTransaction', [
    { from: from!.address, to: RECEIVER, gas: '0x5208', nonce: '0x2' },
  ])
  await call(node, 'hardhat_mine', [hex(1_000_000)])
  expect(await heightOf(node)).toBe(1_000_000)
  expect(await call(node, 'txpool_status', [])).toMatchObject({ queued: 1 })
})

test('too many blocks for somebody who hears of each are refused, and nothing is mined', async () => {
  const node = await freshNode()
  await call(node, 'eth_newBlockFilter', [])
  await expect(call(node, 'hardhat_mine', [hex(1_000_000)])).rejects.toThrow(
    /cannot mine 1000000 blocks: .*filter/,
  )
  await expect(call(node, 'hardhat_mine', [hex(1_000_000), hex(1_000_000)])).rejects.toThrow(/year 9999/)
  expect(await heightOf(node)).toBe(0)
})
