/** Facts that leave one cache in a file and enter another: real folders, files, and a real chain. */

import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { packFork, unpackFork } from '../../lib/fork/cache-transfer.ts'
import { exportFork, importForks } from '../../lib/fork/cache-transfer.ts'
import { forkFolder } from '../../lib/fork/cached-forks.ts'
import type { ForkedBlock } from '../../lib/fork/cached-forks.ts'
import { factsPath, readFacts } from '../../lib/fork/fact-store.ts'
import { realHost } from '../../lib/base/host.ts'
import { addFacts, blockOf, headerFact } from '../support/fork-cache.ts'
import { withRemote } from '../support/forks.ts'
import { call, freshNode } from '../support/node.ts'

const BLOCK = blockOf(20_000_000, 99n)
const BALANCE = 'eth_getBalance ["0xaa","0xbb"]'
const CODE = 'eth_getCode ["0xaa","0xbb"]'

let folder: string
let file: string
let cache: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-transfer-'))
  file = join(folder, 'fork.cache')
  cache = join(folder, 'cache')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Facts on the disk of a cache. */
const factsIn = async (from: string, block: ForkedBlock = BLOCK) =>
  (await readFacts(factsPath(forkFolder(from, block)))).facts

const fill = (facts: Readonly<Record<string, unknown>>, block = BLOCK, to = cache) =>
  addFacts(to, { ...headerFact(block), ...facts }, block)

describe('export', () => {
  test('an import into an empty cache, exported again, gives the same bytes', async () => {
    await fill({ [BALANCE]: '0x7', [CODE]: '0x' })
    const { count, bytes } = await exportFork(cache, {}, file)
    const other = join(folder, 'other')
    expect(await importForks(other, [file])).toEqual([{ block: BLOCK, count, added: count, differing: 0 }])
    expect(await factsIn(other)).toEqual(await factsIn(cache))
    const again = join(folder, 'again.cache')
    await exportFork(other, {}, again)
    const content = await readFile(file)
    expect((await readFile(again)).equals(content)).toBe(true)
    expect(bytes).toBe(content.length)
  })

  test('an error lists the forks if none or several fit', async () => {
    await expect(exportFork(cache, {}, file)).rejects.toThrow(`${cache} has no fork; it is empty`)
    for (const block of [BLOCK, blockOf(5, 7n)]) await fill({}, block)
    const [first, other] = [`chain 99, block 20000000 ${BLOCK.blockHash}`, 'chain 7, block 5 0x']
    await expect(exportFork(cache, {}, file)).rejects.toThrow(
      `the fork cache ${cache} has several such forks: name one with --chain-id and --block; it has\n`,
    )
    await expect(exportFork(cache, {}, file)).rejects.toThrow(first)
    const none = exportFork(cache, { chainId: 1n }, file)
    await expect(none).rejects.toThrow(/has no fork of chain 1; it has\n/)
    await expect(none).rejects.toThrow(other)
    expect(await readdir(folder)).toEqual(['cache'])
  })

  test('a file that cannot be written is named, and the one that was there stays', async () => {
    await fill({})
    await expect(exportFork(cache, {}, join(folder, 'no', 'f.cache'))).rejects.toThrow(
      /cannot use .*no\/f\.cache: ENOENT/,
    )
    await mkdir(file)
    await expect(exportFork(cache, {}, file)).rejects.toThrow(`cannot use ${file}`)
    expect((await readdir(folder)).toSorted()).toEqual(['cache', 'fork.cache'])
  })
})

describe('import', () => {
  const fileOf = async (facts: Readonly<Record<string, unknown>>, block = BLOCK, name = 'in.cache') => {
    const path = join(folder, name)
    const texts = Object.entries(facts).map(([key, value]) => [key, JSON.stringify(value)] as const)
    await writeFile(path, await packFork({ block, facts: new Map(texts) }))
    return path
  }

  test('one damaged file keeps all of them out', async () => {
    const good = await fileOf(headerFact(BLOCK))
    const damaged = join(folder, 'damaged.cache')
    await writeFile(damaged, (await readFile(good)).subarray(0, -1))
    await expect(importForks(cache, [good, damaged])).rejects.toThrow(
      `cache: cannot use ${damaged}: it is damaged or cut short`,
    )
    await expect(importForks(cache, [good, join(folder, 'missing')])).rejects.toThrow(/missing: ENOENT/)
    await expect(importForks(cache, [good, folder])).rejects.toThrow(/EISDIR/)
    expect(await readdir(folder)).not.toContain('cache')
  })

  test('a cache that cannot be written is an error', async () => {
    const path = await fileOf(headerFact(BLOCK))
    await writeFile(cache, 'a file in the place of the folder')
    await expect(importForks(cache, [path])).rejects.toThrow(`cache: cannot use ${cache}: ENOTDIR`)
  })
})

test('the file of a real chain names no address of the remote', async () => {
  await withRemote({ network: 'ethereum', chainId: 1n }, async ({ url, call: ask }) => {
    await ask('hardhat_mine', ['0x3'])
    const node = await freshNode({ forkUrl: url, forkBlockNumber: 2n, forkCache: cache }, realHost)
    await call(node, 'eth_getBalance', [`0x${'aa'.repeat(20)}`])
    await node.close()
  })
  await exportFork(cache, {}, file)
  const { block, facts } = await unpackFork(await readFile(file))
  expect(block).toMatchObject({ chainId: 1n, blockNumber: 2n })
  expect((await readFile(file)).includes('127.0.0.1')).toBe(false)
  expect([...facts].join('\n')).not.toContain('127.0.0.1')
})
