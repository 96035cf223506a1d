import { describe, expect, test } from '@jest/globals'
import { toWord } from '../../../lib/base/hex.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { ManualHost, call, elapse, freshNode } from '../../support/node.ts'

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

describe.each(NETWORKS)('on %s, of a million blocks', (_network, options) => {
  // A block is computed quickly if it is one of the first of its ten thousand.
  const MANY = 1_001_000

  /** A node on which one block was mined before. */
  async function reserved(gap = 5) {
    const node = await freshNode(options)
    await send(node)
    await call(node, 'hardhat_mine', [hex(MANY), hex(gap)])
    return node
  }

  /** A node that tests only read. */
  let read: Promise<Node> | undefined
  const readNode = () => (read ??= reserved())

  test('each has its number, its time and the hash of its parent', async () => {
    const node = await readNode()
    const { timestamp } = await block(node, 1)
    const time = Number((await block(node, 2)).timestamp)
    expect(time).toBeGreaterThan(Number(timestamp))
    for (const number of [MANY + 1, MANY, 501_060, 771_050, MANY - 9_900, 1_100]) {
      const [found, before] = [await block(node, number), await block(node, number - 1)]
      expect(found).toMatchObject({ number: hex(number), timestamp: hex(time + (number - 2) * 5) })
      expect(found.parentHash).toBe(before.hash)
      expect(await call(node, 'eth_getBlockByHash', [found.parentHash, false])).toEqual(before)
      expect(node.chain.at(BigInt(number))?.state.hash).toBe(found.stateRoot)
      expect(Number(found.totalDifficulty) - Number(before.totalDifficulty)).toBe(Number(found.difficulty))
    }
  })

  test('their state is the state before them', async () => {
    const node = await readNode()
    const at = hex(401_060)
    expect(await call(node, 'eth_getBalance', [RECEIVER, at])).toBe(
      await call(node, 'eth_getBalance', [RECEIVER, '0x1']),
    )
    expect(await call(node, 'eth_getBlockReceipts', [at])).toEqual([])
    expect(await call(node, 'debug_traceBlockByNumber', [at])).toEqual([])
    expect(await call(node, 'eth_call', [{ to: RECEIVER }, at])).toBe('0x')
    expect(await call(node, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])).toEqual([])
    const { oldestBlock, gasUsedRatio } = await call(node, 'eth_feeHistory', ['0x5', at, []])
    expect([oldestBlock, gasUsedRatio]).toEqual([hex(401_056), [0, 0, 0, 0, 0]])
  })

  test('later blocks build on them, and a revert removes all of them', async () => {
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
    const seen = await block(node, 501_060)
    expect(await call(node, 'evm_revert', [id])).toBe(true)
    expect(await block(node, 'latest')).toEqual(before)
    expect(await block(node, 501_060)).toBeNull()
    expect(await call(node, 'eth_getBlockByHash', [seen.hash, false])).toBeNull()
  })

  test('a rollback ends between them, and the chain continues from there with an edited state', async () => {
    const node = await reserved()
    const seen = await block(node, 701_051)
    await call(node, 'anvil_rollback', [hex(MANY - 701_050)])
    expect(await block(node, 'latest')).toEqual(seen)
    await call(node, 'hardhat_setBalance', [RECEIVER, '0x64'])
    await send(node)
    expect(await call(node, 'eth_getBalance', [RECEIVER, 'latest'])).toBe('0x65')
    expect(await call(node, 'eth_getBalance', [RECEIVER, hex(701_050)])).toBe('0x1')
    expect(await heightOf(node)).toBe(701_052)
    expect((await block(node, 'latest')).parentHash).toBe(seen.hash)
    await call(node, 'anvil_reorg', ['0x2', []])
    expect(await heightOf(node)).toBe(701_052)
    await expect(call(node, 'anvil_reorg', ['0x2711', []])).rejects.toThrow(/at most 10000/)
    expect(await heightOf(node)).toBe(701_052)
  })

  test('snapshots before, between and after them can be reverted to in any order', async () => {
    const node = await freshNode(options)
    await call(node, 'evm_snapshot', [{ name: 'before' }])
    await call(node, 'hardhat_mine', [hex(MANY)])
    await call(node, 'evm_snapshot', [{ name: 'after' }])
    const [seen, latest] = [await block(node, 301_060), await block(node, 'latest')]
    await call(node, 'anvil_rollback', [hex(MANY - 501_060)])
    await call(node, 'evm_snapshot', [{ name: 'within' }])
    const within = await block(node, 'latest')
    const expected = { before: await block(node, 0), within, after: latest }
    for (const name of ['before', 'after', 'within', 'before', 'within', 'after'] as const) {
      expect(await call(node, 'evm_revert', [name, { keep: true }])).toBe(true)
      expect(await block(node, 'latest')).toEqual(expected[name])
      expect(await block(node, 301_060)).toEqual(name === 'before' ? null : seen)
    }
  })

  test('a world and a state file have them', async () => {
    const node = await reserved()
    const numbers = [MANY + 1, MANY - 9_900, 651_021, 11_002, 11_001, 2]
    const expected = await Promise.all(numbers.map((number) => block(node, number)))
    await call(node, 'dev_createWorld', [{ id: 'one' }])
    const other = await freshNode(options)
    await call(other, 'dev_loadState', [await call(node, 'dev_dumpState', [])])
    await call(node, 'anvil_rollback', [hex(MANY - 100)])
    expect(await Promise.all(numbers.map((number) => block(other, number)))).toEqual(expected)
    const { chain } = node.worlds.acquire('one').chain
    expect(numbers.map((number) => chain.at(BigInt(number))?.block.hash)).toEqual(
      expected.map(({ hash }) => hash),
    )
    await send(other)
    expect(await heightOf(other)).toBe(MANY + 2)
  })
})

test('a head and snapshots in the middle of them are in a state file', async () => {
  const node = await freshNode()
  await call(node, 'hardhat_mine', ['0x7530', '0x3'])
  await call(node, 'anvil_rollback', [hex(9_900)])
  await call(node, 'evm_snapshot', [{ name: 'upper' }])
  await call(node, 'anvil_rollback', [hex(10_000)])
  await send(node)
  const numbers = [10_101, 10_100, 10_099, 10_002, 3]
  const expected = await Promise.all(numbers.map((number) => block(node, number)))
  const other = await freshNode()
  await call(other, 'dev_loadState', [await call(node, 'dev_dumpState', [{ snapshots: true }])])
  expect(await Promise.all(numbers.map((number) => block(other, number)))).toEqual(expected)
  for (const each of [node, other]) await call(each, 'evm_revert', ['upper'])
  expect(await block(other, 'latest')).toEqual(await block(node, 'latest'))
  expect(await block(other, 20_050)).toEqual(await block(node, 20_050))
})

describe('the rest of a run', () => {
  test('is made before the next request, and not earlier', async () => {
    const node = await freshNode()
    await call(node, 'hardhat_mine', ['0x2710'])
    const { head } = node.chain
    expect([head, node.chain.height]).toEqual([node.chain.at(1n), 1n])
    expect(node.chain.head).toBe(head)
    node.miner.makePostponedBlocks()
    expect([node.chain.height, node.chain.head.parent?.reservation?.last]).toEqual([10_000n, 9_999n])
    const { head: made } = node.chain
    node.miner.makePostponedBlocks()
    expect(node.chain.head).toBe(made)
  })

  test.each<[string, bigint, (node: Node, host: ManualHost) => unknown]>([
    ['a new world', 600n, ({ worlds }) => worlds.create('one')],
    ['a detailed result', 601n, (node) => call(node, 'evm_mine_detailed', [])],
    ['a block of the timer', 601n, (node, host) => elapse(node, host, 10_000)],
  ])('is made before %s', async (_what, height, use) => {
    const host = new ManualHost()
    const node = await freshNode({ blockTime: '10' }, host)
    await call(node, 'hardhat_mine', ['0x258'])
    await use(node, host)
    expect(node.chain.height).toBe(height)
  })

  test('is in the list of worlds', async () => {
    const node = await freshNode()
    await call(node.worlds.create('one').chain, 'hardhat_mine', ['0x258'])
    expect(await call(node, 'dev_worlds', [])).toMatchObject([{ blockNumber: '0x258' }])
  })

  test('is in a detailed result', async () => {
    const blocks = await call(await freshNode(), 'evm_mine_detailed', [{ blocks: '0x258' }])
    expect(blocks).toHaveLength(600)
    expect(blocks.at(-1)).toMatchObject({ number: '0x258', parentHash: blocks.at(-2).hash })
  })

  test('has the settings and the time of the call', async () => {
    const host = new ManualHost()
    const node = await freshNode({}, host)
    await call(node, 'hardhat_mine', ['0x258', '0x5'])
    const { now } = node.clock
    host.step(30_000)
    const { timestamp } = await block(node, 'latest')
    expect([BigInt(timestamp), node.clock.now]).toEqual([now, now + 30n])
  })
})

test.each([
  ['reserved', () => undefined],
  ['made for a filter', (node: Node) => call(node, 'eth_newBlockFilter', [])],
])('the contract for the hashes of the last 8191 blocks knows them, %s (EIP-2935)', async (_how, before) => {
  const node = await freshNode({ network: 'ethereum', hardfork: 'osaka', genesisTimestamp: '1700000000' })
  await before(node)
  await call(node, 'hardhat_mine', [hex(9_000)])
  await call(node, 'hardhat_mine', [hex(100)])
  const told = (number: number) =>
    call(node, 'eth_call', [
      { to: '0x0000f90827f1c53a10cb7a02335b175320002935', data: toWord(BigInt(number)) },
    ])
  for (const number of [9_099, 9_098, 8_844, 8_100, 1_100, 909]) {
    expect(await told(number)).toBe((await block(node, number)).hash)
  }
  await expect(told(908)).rejects.toThrow('reverted')
})

test.each([
  ['ethereum', 1],
  // Its pool drops what has waited for ten blocks.
  ['network-33', 0],
])('transactions that cannot be mined do not prevent a reservation on %s', async (network, queued) => {
  const node = await freshNode({ network, mining: false })
  const [from] = node.funded
  await call(node, 'eth_sendTransaction', [
    { from: from!.address, to: RECEIVER, gas: '0x5208', nonce: '0x2' },
  ])
  await call(node, 'hardhat_mine', [hex(1_000_000)])
  expect(await heightOf(node)).toBe(1_000_000)
  expect(await call(node, 'txpool_status', [])).toMatchObject({ queued })
})

test('too many blocks for a filter that needs each are refused, and nothing is mined', async () => {
  const node = await freshNode()
  await call(node, 'eth_newBlockFilter', [])
  await expect(call(node, 'hardhat_mine', [hex(1_000_000)])).rejects.toThrow(
    /cannot mine 1000000 blocks: .*filter/,
  )
  await expect(call(node, 'hardhat_mine', [hex(1_000_000), hex(1_000_000)])).rejects.toThrow(/year 9999/)
  expect(await heightOf(node)).toBe(0)
})
