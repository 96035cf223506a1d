import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { forkFolder, limitCache, listForks } from '../../lib/fork/cached-forks.ts'
import type { ForkedBlock } from '../../lib/fork/cached-forks.ts'
import { factsPath } from '../../lib/fork/fact-store.ts'
import { BLOCK, addFacts, blockOf } from '../support/fork-cache.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-forks-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a cache that does not exist has no forks', async () => {
  expect(await listForks(join(folder, 'missing'))).toEqual([])
})

test('forks are listed with block, size and time', async () => {
  const blocks = [BLOCK, blockOf(7), blockOf(9, 33n)]
  for (const block of blocks) await addFacts(folder, { 1: 1 }, block)
  const forks = await listForks(folder)
  expect(new Set(forks.map((fork) => fork.folder))).toEqual(
    new Set(blocks.map((block) => forkFolder(folder, block))),
  )
  const forkOf = (block: ForkedBlock) => forks.find((fork) => fork.folder === forkFolder(folder, block))
  const { mtimeMs } = await stat(forkFolder(folder, BLOCK))
  const { size } = await stat(factsPath(forkFolder(folder, BLOCK)))
  expect(forkOf(BLOCK)).toEqual({
    block: BLOCK,
    folder: forkFolder(folder, BLOCK),
    bytes: size,
    lastUsedMs: mtimeMs,
  })
  expect(forkOf(blockOf(9, 33n))?.block).toEqual(blockOf(9, 33n))
})

test('files and folders of others are no forks', async () => {
  await mkdir(join(folder, '1', 'notes'), { recursive: true })
  await mkdir(join(folder, 'x', `1-${BLOCK.blockHash}`), { recursive: true })
  await mkdir(join(folder, '1', `1-${BLOCK.blockHash.toUpperCase()}`))
  await writeFile(join(folder, '2'), 'a file')
  expect(await listForks(folder)).toEqual([])
})

test('the folder of a chain goes with its last fork', async () => {
  for (const block of [BLOCK, blockOf(7)]) await addFacts(folder, { 1: 1 }, block)
  const forks = await listForks(folder)
  await limitCache(folder, forks[0]!.bytes)
  const [left, ...others] = await listForks(folder)
  expect([forks, others]).toEqual([expect.arrayContaining([left]), []])
  await limitCache(folder, 0)
  await expect(stat(join(folder, '1'))).rejects.toThrow('ENOENT')
})
