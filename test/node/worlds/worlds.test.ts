import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { ManualHost, call, freshNode, refusal } from '../../support/node.ts'

async function nodeWith(options: OptionsInput = {}) {
  const host = new ManualHost()
  return { host, node: await freshNode(options, host) }
}

const ids = (node: Node) => node.worlds.all.map(({ id }) => id)

/** Lets time pass for the node's timers. */
function pass(host: ManualHost, seconds: number): void {
  for (let leftMs = seconds * 1000; leftMs > 0;) leftMs = host.step(leftMs)
}

describe('a world', () => {
  test('begins with the head, time and keys of the default chain, and with an empty pool', async () => {
    const { node } = await nodeWith({ mining: false })
    await call(node, 'evm_mine', [{ blocks: 3 }])
    await call(node, 'evm_increaseTime', [1000])
    const account = await call(node, 'personal_newAccount', ['secret'])
    const [from, to] = node.funded.map(({ address }) => address)
    await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
    const { chain: world } = node.worlds.create('a')
    expect(world.chain.head).toBe(node.chain.head)
    expect([world.clock.now, world.clock.increased]).toEqual([node.clock.now, 1000n])
    expect(await call(world, 'eth_accounts')).toContain(account)
    expect([[...world.mempool.all()].length, [...node.mempool.all()].length]).toEqual([0, 1])
  })

  test('mines by the options, not by the current settings of the default chain', async () => {
    const { node } = await nodeWith()
    await call(node, 'evm_stopMining')
    await call(node, 'evm_setNextBlockTimestamp', [2_000_000_000])
    const { chain: world } = node.worlds.create('a')
    expect(world.miner.mode.kind).toBe('instant')
    expect(world.miner.settings.value).toEqual({ next: {}, later: {} })
  })

  test('begins with a snapshot by name or id', async () => {
    const { node } = await nodeWith()
    await call(node, 'evm_mine')
    const id = await call(node, 'evm_snapshot', [{ name: 'deployed' }])
    const { head } = node.chain
    await call(node, 'evm_mine')
    for (const from of ['deployed', id]) {
      const made = await call(node, 'dev_createWorld', [{ from }])
      expect([made.blockNumber, made.blockHash]).toEqual(['0x1', head.block.hash])
    }
    const { kind, message } = await refusal(node, 'dev_createWorld', [{ from: 'lost' }])
    expect([kind, message]).toEqual(['unknownSnapshot', 'there is no snapshot with the name "lost"'])
    expect(ids(node)).toEqual(['world-1', 'world-2'])
  })

  test('is reset to its first block', async () => {
    const { node } = await nodeWith()
    await call(node, 'evm_mine')
    const { chain: world } = node.worlds.create('a')
    await call(world, 'evm_mine')
    await call(node, 'evm_reset')
    await call(world, 'evm_reset')
    expect([node.chain.head.block.header.number, world.chain.head.block.header.number]).toEqual([0n, 1n])
  })

  test('dumps its own state, and loads a state without changing other worlds', async () => {
    const { node } = await nodeWith()
    const { chain: world } = node.worlds.create('a')
    await call(world, 'evm_mine', [{ blocks: 2 }])
    const state = await call(world, 'dev_dumpState')
    const { chain: other } = node.worlds.create('b')
    await call(other, 'dev_loadState', [state])
    expect([other.chain.head.block.hash, node.chain.head.block.header.number]).toEqual([
      world.chain.head.block.hash,
      0n,
    ])
  })

  test('begins with the keys of its snapshot, and a reset restores them', async () => {
    const { node } = await nodeWith()
    const [cow] = node.funded
    await call(node, 'evm_snapshot', [{ name: 'before' }])
    await call(node, 'personal_lockAccount', [cow!.address])
    await call(node, 'personal_newAccount', ['secret'])
    const { chain: world } = node.worlds.create('a', { from: 'before' })
    expect(world.keystore.addresses).toEqual(node.funded.map(({ address }) => address))
    expect(world.keystore.isUnlocked(cow!.address)).toBe(true)
    world.keystore.lock(cow!.address)
    await call(world, 'evm_reset')
    expect(world.keystore.isUnlocked(cow!.address)).toBe(true)
    expect(node.keystore.isUnlocked(cow!.address)).toBe(false)
  })
})

describe('an idle world', () => {
  test('is deleted after the time-out since the last visit', async () => {
    const { node, host } = await nodeWith({ worldTimeout: 60 })
    node.worlds.create('a')
    pass(host, 59)
    node.worlds.acquire('a').release()
    pass(host, 59)
    expect(ids(node)).toEqual(['a'])
    pass(host, 1)
    expect(ids(node)).toEqual([])
  })

  test('is not idle while it has a visitor', async () => {
    const { node, host } = await nodeWith({ worldTimeout: 60 })
    const [first, second] = [node.worlds.acquire('a'), node.worlds.acquire('a')]
    first.release()
    first.release()
    pass(host, 600)
    expect(ids(node)).toEqual(['a'])
    second.release()
    pass(host, 60)
    expect(ids(node)).toEqual([])
  })

  test('is not affected when a visitor of a deleted world with its id leaves', async () => {
    const { node, host } = await nodeWith({ worldTimeout: 60 })
    const heard: string[] = []
    const { release: leave } = node.worlds.acquire('a', () => heard.push('deleted'))
    await node.worlds.delete('a')
    node.worlds.acquire('a')
    leave()
    pass(host, 600)
    expect([heard, ids(node)]).toEqual([['deleted'], ['a']])
  })
})
