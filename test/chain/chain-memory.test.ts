import { expect, test } from '@jest/globals'
import { ChainMemory } from '../../lib/chain/chain-memory.ts'
import type { ShrinkableChain } from '../../lib/chain/chain-memory.ts'
import { call, freshNode } from '../support/node.ts'

/** A chain that notes what is asked of it, and has so many runs of blocks to compress. */
function chainWith(runs: number) {
  const asked: string[] = []
  const chain: ShrinkableChain = {
    compress: ({ newest, isIdle }) => {
      asked.push(`${isIdle ? 'idle ' : ''}${newest}`)
      return runs-- > 0
    },
    releaseTries: () => void asked.push('release'),
  }
  return { asked, chain }
}

/** A memory of 100 bytes of which so many are used. */
const memoryWith = (used: number) => new ChainMemory({ maxBytes: 100, usedBytes: () => used })

function addBlocks(memory: ChainMemory, chain: ShrinkableChain, count: number): void {
  for (let added = 0; added < count; added++) memory.blockAdded(chain)
}

test('nothing is compressed while memory is free', () => {
  const { asked, chain } = chainWith(1)
  const memory = memoryWith(39)
  memory.register(chain)
  addBlocks(memory, chain, 1000)
  expect(asked).toEqual([])
})

test('blocks are compressed when it is partly used, and tries are kept', () => {
  const { asked, chain } = chainWith(2)
  const memory = memoryWith(59)
  memory.register(chain)
  addBlocks(memory, chain, 48)
  expect(asked).toEqual(['128', '128', '128'])
})

test('other chains are compressed after the one that grows, and then fewer states keep their tries', () => {
  const [growing, idle] = [chainWith(1), chainWith(1)]
  const memory = memoryWith(61)
  memory.register(growing.chain)
  memory.register(idle.chain)
  addBlocks(memory, growing.chain, 16 * 4)
  expect(growing.asked).toEqual(['128', '128', '128', 'release', '16'])
  expect(idle.asked).toEqual(['idle 128', 'idle 128', 'release', 'idle 16'])
  // Not again before the garbage of the first time can have been collected.
  addBlocks(memory, growing.chain, 1000)
  expect(growing.asked.filter((what) => what === 'release')).toHaveLength(1)
  addBlocks(memory, growing.chain, 2000)
  expect(growing.asked.filter((what) => what === 'release')).toHaveLength(2)
})

test('a node with little memory compresses old blocks, those of its worlds too', async () => {
  const node = await freshNode({ maxMemory: '1m' })
  await call(node, 'dev_createWorld', [{ id: 'other' }])
  const world = node.worlds.acquire('other').chain
  for (const { chain } of [node, world]) {
    const mines = chain === node.chain ? node : world
    for (let count = 0; count < 140; count++) await call(mines, 'evm_mine')
    const entries = chain.entriesFrom(0)
    const compressed = entries.filter(({ packed }) => packed?.isCompressed === true)
    expect(compressed.length).toBeGreaterThanOrEqual(64)
    expect(entries.slice(-16).some(({ isPacked }) => isPacked)).toBe(false)
  }
})

test('a node with enough memory compresses none', async () => {
  // Not the default: the heap counts, and the worker that runs many suites has a large one.
  const node = await freshNode({ maxMemory: '64g' })
  for (let count = 0; count < 140; count++) await call(node, 'evm_mine')
  expect(node.chain.entriesFrom(0).some(({ isPacked }) => isPacked)).toBe(false)
})
