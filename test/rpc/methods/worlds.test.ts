/** Methods that create, list and delete worlds, and advance their time. */

import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { ManualHost, call, freshNode, refusal } from '../../support/node.ts'

async function nodeWith(options: OptionsInput = {}) {
  const host = new ManualHost()
  return { host, node: await freshNode(options, host) }
}

const ids = (node: Node) => node.worlds.all.map(({ id }) => id)

describe('worlds', () => {
  test('are listed oldest first, with their head and their number of visitors', async () => {
    const { node } = await nodeWith()
    node.worlds.create('a')
    node.worlds.acquire('b')
    await call(node.worlds.create('c').chain, 'evm_mine')
    const listed = await call(node, 'dev_worlds')
    expect(
      listed.map(({ id, path, blockNumber, visitors }: any) => [id, path, blockNumber, visitors]),
    ).toEqual([
      ['a', '/w/a', '0x0', 0],
      ['b', '/w/b', '0x0', 1],
      ['c', '/w/c', '0x1', 0],
    ])
  })

  test.each(['', '.', '..', 'a/b', 'a b', 'ä', 'x'.repeat(101)])(
    'are refused with the id "%s"',
    async (id) => {
      const { node } = await nodeWith()
      expect(await refusal(node, 'dev_createWorld', [{ id }])).toMatchObject({ kind: 'invalidParams' })
      expect(() => node.worlds.acquire(id)).toThrow(expect.objectContaining({ kind: 'invalidParams' }))
    },
  )

  test.each(['a', '...', 'A-b_c.9', 'x'.repeat(100)])('may have the id "%s"', async (id) => {
    const { node } = await nodeWith()
    expect(await call(node, 'dev_createWorld', [{ id }])).toMatchObject({ id, path: `/w/${id}` })
    expect((await refusal(node, 'dev_createWorld', [{ id }])).message).toBe(
      `id: there is a world ${id} already`,
    )
  })

  test('are limited in number, and a deleted one makes room', async () => {
    const { node } = await nodeWith({ worldLimit: 2 })
    node.worlds.create('a')
    node.worlds.acquire('b')
    expect(await refusal(node, 'dev_createWorld', [{ id: 'c' }])).toEqual({
      kind: 'limitExceeded',
      message: 'there are 2 worlds, the maximum (--world-limit): delete one first',
    })
    expect(() => node.worlds.acquire('c')).toThrow(expect.objectContaining({ kind: 'limitExceeded' }))
    expect(await call(node, 'dev_deleteWorld', ['a'])).toBe(true)
    expect(await call(node, 'dev_deleteWorld', ['a'])).toBe(false)
    node.worlds.create('c')
    expect(ids(node)).toEqual(['b', 'c'])
  })
})

const GENESIS = { network: 'network-33', hardfork: 'shanghai', chainId: '0x21' }

describe('a world with a network of its own', () => {
  test.each([
    [{ network: 'ethereum' }, { network: 'ethereum', hardfork: 'osaka', chainId: '0x7a69' }],
    [{ network: 'network-31' }, { network: 'network-31', hardfork: 'shanghai', chainId: '0x1f' }],
    [{ chainId: 77 }, { ...GENESIS, chainId: '0x4d' }],
    [{ hardfork: 'next' }, { ...GENESIS, hardfork: 'next' }],
    [
      { network: 'ethereum', hardfork: 'london', chainId: '0x5' },
      { network: 'ethereum', hardfork: 'london', chainId: '0x5' },
    ],
    [{ network: 'network-33' }, GENESIS],
  ])('of %j begins with its genesis: %j', async (own, expected) => {
    const { node } = await nodeWith()
    await call(node, 'evm_mine')
    expect(await call(node, 'dev_createWorld', [{ id: 'a', ...own }])).toMatchObject({
      blockNumber: '0x0',
      ...expected,
    })
    await call(node, 'dev_createWorld', [{ id: 'b' }])
    expect(await call(node, 'dev_worlds')).toMatchObject([
      { id: 'a', ...expected },
      { id: 'b', ...GENESIS },
    ])
    const { chain: world } = node.worlds.all[0]!
    expect(await call(world, 'eth_chainId')).toBe(expected.chainId)
    expect(await call(world, 'eth_accounts')).toEqual(await call(node, 'eth_accounts'))
    await call(world, 'evm_mine')
    await call(world, 'evm_reset')
    expect(await call(world, 'eth_blockNumber')).toBe('0x0')
    expect(await call(world, 'eth_chainId')).toBe(expected.chainId)
  })

  test.each<[OptionsInput, object, string]>([
    [{ network: 'ethereum', baseFee: 7 }, { network: 'network-33' }, '0x21'],
    [{ systemTransaction: true, federation: 'manual', networkId: 9 }, { network: 'ethereum' }, '0x7a69'],
    [{ hardfork: 'next', chainId: 9 }, { network: 'ethereum' }, '0x7a69'],
    [{ chainId: 9, hardfork: 'next' }, { hardfork: 'shanghai' }, '0x9'],
  ])('does not have what the options %j say of the default chain: %j', async (options, own, chainId) => {
    const { node } = await nodeWith(options)
    expect(await call(node, 'dev_createWorld', [own])).toMatchObject({ chainId })
  })

  test('of a named preset does not have the genesis file of the default chain, and funds its accounts', async () => {
    const { node } = await nodeWith({ genesis: 'fixtures/genesis/devnet.json' })
    await call(node, 'dev_createWorld', [{ network: 'ethereum' }])
    await call(node, 'dev_createWorld', [{ chainId: 77 }])
    const [named, same] = node.worlds.all.map(({ chain }) => chain)
    const { address } = node.funded[0]!
    const balances = [node, named!, same!].map((chain) => call(chain, 'eth_getBalance', [address, 'latest']))
    const [given, funded, again] = await Promise.all(balances)
    expect(BigInt(funded)).toBe(10n ** 22n)
    expect(again).toBe(given)
    expect(named!.chain.genesis.block.header.extraData).not.toEqual(node.chain.genesis.block.header.extraData)
    expect(same!.chain.genesis.hash).toBe(node.chain.genesis.hash)
  })

  test('may be one of more networks than those whose rules are kept', async () => {
    const { node } = await nodeWith({ worldLimit: 100 })
    for (let chainId = 1; chainId <= 40; chainId++) await call(node, 'dev_createWorld', [{ chainId }])
    const made = await call(node, 'dev_createWorld', [{ chainId: 1 }])
    expect(made).toMatchObject({ chainId: '0x1' })
    const networks = node.worlds.all.map(({ chain }) => chain.network)
    expect(networks.at(-1)).not.toBe(networks[0])
    expect({ ...networks.at(-1), names: 0 }).toEqual({ ...networks[0], names: 0 })
  })

  test('is that of the default chain also at the URL of another world', async () => {
    const { node } = await nodeWith()
    await call(node, 'dev_createWorld', [{ network: 'ethereum' }])
    const { chain: world } = node.worlds.all[0]!
    expect(await call(world, 'dev_createWorld', [{ chainId: 77 }])).toMatchObject({ network: 'network-33' })
  })

  test('has the time of the default chain', async () => {
    const { node } = await nodeWith()
    await call(node, 'evm_increaseTime', [1000])
    await call(node, 'dev_createWorld', [{ network: 'ethereum' }])
    const { clock, chain } = node.worlds.all[0]!.chain
    expect(clock.now).toBe(node.clock.now)
    expect(chain.head.block.header.timestamp).toBe(node.clock.now)
  })

  const FROM = { from: '0x1' }
  test.each([
    [{ network: 'etherum' }, 'network (world): expected the name of a preset ('],
    [{ network: 'etherum' }, 'did you mean ethereum?, got "etherum"'],
    [{ network: './fixtures/networks/ethereum.json' }, 'expected the name of a preset'],
    [{ network: 7 }, 'params[0].network (world): expected the name of a preset, got 7'],
    [{ hardfork: 'canun' }, 'params[0].hardfork (world): expected one of london, '],
    [{ network: 'ethereum', hardfork: 'next' }, 'params[0] (world): hard fork next: it is the next fork'],
    [{ chainId: 0 }, 'params[0].chainId (world): expected a chain id from 1 to 9007199254740991, got 0'],
    [{ chainId: '0x20000000000000' }, 'got "0x20000000000000"'],
    [{ network: 'ethereum', ...FROM }, 'expected either from or network, because a snapshot is of'],
    [{ hardfork: 'london', ...FROM }, 'expected either from or hardfork'],
    [{ chainId: 1, ...FROM }, 'expected either from or chainId'],
    [{ id: 'taken', network: 'ethereum' }, 'there is a world taken already'],
    [{ fork: {}, chainId: 5 }, 'expected the URL of the chain to fork'],
    [{ networks: 'ethereum' }, 'networks'],
  ])('is refused for %j: %s', async (own, message) => {
    const { node } = await nodeWith()
    node.worlds.create('taken')
    const refused = await refusal(node, 'dev_createWorld', [own])
    expect(refused).toEqual({ kind: 'invalidParams', message: expect.stringContaining(message) })
    expect(ids(node)).toEqual(['taken'])
  })
})

/** A node, two worlds of other networks, and the chains of all. */
async function threeChains(options: OptionsInput = {}) {
  const { node } = await nodeWith(options)
  await call(node, 'dev_createWorld', [{ id: 'a', network: 'ethereum' }])
  await call(node, 'dev_createWorld', [{ id: 'b', chainId: 77 }])
  return { node, chains: [node, ...node.worlds.all.map(({ chain }) => chain)] }
}

describe('dev_advanceAll', () => {
  const times = (chains: readonly Node[]) => chains.map(({ clock }) => clock.now)
  const heights = (chains: readonly Node[]) => chains.map(({ chain }) => chain.height)

  test('advances the clocks of all chains, at the URL of any of them', async () => {
    const { chains } = await threeChains()
    const before = times(chains)
    for (const chain of chains) await call(chain, 'dev_advanceAll', ['0x64'])
    expect(times(chains)).toEqual(before.map((time) => time + 300n))
    expect(heights(chains)).toEqual([0n, 0n, 0n])
  })

  test('mines a block in each on request', async () => {
    const { node, chains } = await threeChains()
    await call(chains[1]!, 'evm_mine')
    const [time] = times(chains)
    const answer = await call(node, 'dev_advanceAll', [3600, { mine: true }])
    expect(answer).toEqual([
      { world: null, time: `0x${(time! + 3600n).toString(16)}`, blockNumber: '0x1' },
      { world: 'a', time: expect.any(String), blockNumber: '0x2' },
      { world: 'b', time: answer[0].time, blockNumber: '0x1' },
    ])
    for (const { chain, clock } of chains) expect(chain.head.block.header.timestamp).toBe(clock.now)
  })

  test('ends for calls at all chains at once, and each advances all', async () => {
    const { chains } = await threeChains()
    const before = times(chains)
    const advancing = [...chains, ...chains.toReversed()].map((chain) =>
      call(chain, 'dev_advanceAll', [10, { mine: true }]),
    )
    await Promise.all([...advancing, ...chains.map((chain) => call(chain, 'evm_mine'))])
    expect(heights(chains)).toEqual([7n, 7n, 7n])
    for (const [index, time] of times(chains).entries())
      expect(time).toBeGreaterThanOrEqual(before[index]! + 60n)
  })

  test.each([
    [[], 'params[0] (seconds)'],
    [[-1], 'params[0] (seconds): expected a number of seconds'],
    [[1, { mine: 'yes' }], 'params[1].mine (options): expected true or false, got "yes"'],
    [[1, true], 'params[1] (options): expected {mine}, got true'],
  ])('refuses %j', async (params, message) => {
    const { node } = await nodeWith()
    const refused = await refusal(node, 'dev_advanceAll', params)
    expect(refused).toEqual({ kind: 'invalidParams', message: expect.stringContaining(message) })
  })
})
