import { expect, test } from '@jest/globals'
import { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { UnpackedBlocks } from '../../lib/chain/unpacked-blocks.ts'
import { freshNode } from '../support/node.ts'

/** Adds blocks with the gas, and returns all of them. */
async function added(unpacked: UnpackedBlocks, count: number, gasUsed: bigint) {
  const { block, state } = (await freshNode()).chain.head
  const entries: ChainEntry[] = []
  while (entries.length < count) {
    const header = { ...block.header, number: BigInt(entries.length), gasUsed }
    const entry = new ChainEntry({ block: { ...block, header }, state, parent: entries.at(-1) })
    entries.push(entry)
    unpacked.add(entry)
  }
  return entries
}

const packedIn = (entries: readonly ChainEntry[]) => entries.filter(({ isPacked }) => isPacked).length

test('packs no block of a run of a thousand transfers', async () => {
  expect(packedIn(await added(new UnpackedBlocks(), 1100, 21_000n))).toBe(0)
})

test.each([
  ['light', 3000, 21_000n, 1175],
  ['heavy', 300, 30_000_000n, 143],
])('packs the oldest of %s blocks', async (_weight, count, gasUsed, most) => {
  const entries = await added(new UnpackedBlocks(), count, gasUsed)
  const packed = packedIn(entries)
  expect(count - packed).toBeLessThanOrEqual(most)
  expect(count - packed).toBeGreaterThan(most - 16)
  expect(entries.findIndex(({ isPacked }) => !isPacked)).toBe(packed)
})

test('a copy packs the blocks that the original has dropped', async () => {
  const original = new UnpackedBlocks()
  const shared = await added(original, 1100, 21_000n)
  const copy = original.copy()
  original.cut(0)
  await added(copy, 1500, 21_000n)
  expect(packedIn(shared)).toBe(1100)
})

test('packs no block that was cut, and counts its weight no longer', async () => {
  const unpacked = new UnpackedBlocks()
  const entries = await added(unpacked, 1100, 21_000n)
  unpacked.cut(50)
  const others = await added(unpacked, 1100, 21_000n)
  expect(packedIn(others)).toBe(0)
  expect(packedIn(entries.slice(50))).toBe(0)
})
