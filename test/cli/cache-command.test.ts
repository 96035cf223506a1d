/** `dev-node cache` with caches and files on the disk. */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { forkFolder } from '../../lib/fork/cached-forks.ts'
import { addFacts, blockOf, headerFact } from '../support/fork-cache.ts'
import { fakeProcess } from './fake-server.ts'

const BLOCK = blockOf(20_000_000, 99n)
const OTHER = blockOf(5, 7n)
const TITLE = `chain 99, block 20000000 ${BLOCK.blockHash}`
const BALANCE = 'eth_getBalance ["0xaa","0xbb"]'

let folder: string
let cache: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-cache-command-'))
  cache = join(folder, 'cache')
  file = join(folder, 'fork.cache')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function run(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = { DEV_NODE_FORK_CACHE: cache },
) {
  const { io, written } = fakeProcess(['cache', ...argv])
  const code = await main({ ...io, env })
  return { code, ...written }
}

const fill = (balance: string, block = BLOCK, to = cache) =>
  addFacts(to, { ...headerFact(block), [BALANCE]: balance }, block)

test('export and import say what they did', async () => {
  await fill('0x7')
  expect(await run(['export', file])).toMatchObject({
    code: 0,
    stdout: `${file}: 2 facts of ${TITLE}, 1 kB\n`,
  })
  const other = join(folder, 'other')
  const imported = await run(['import', file, file, '--fork-cache', other])
  const line = `${file}: 2 facts of ${TITLE}`
  expect(imported).toEqual({
    code: 0,
    stdout: `${line}, 2 of them new\n${line}, 0 of them new\n`,
    stderr: '',
  })
  await fill('0x8', BLOCK, join(folder, 'third'))
  expect((await run(['import', file, '--fork-cache', join(folder, 'third')])).stdout).toBe(
    `${line}, 0 of them new; 1 have another value in the cache, which stays\n`,
  )
})

test('a damaged cache is exported, and its fault is printed', async () => {
  await fill('0x7')
  await writeFile(join(forkFolder(cache, BLOCK), 'facts-2'), '\nAAAA.00000000\n', { flag: 'a' })
  expect((await run(['export', file])).stdout).toMatch(
    /1 kB\nnot all facts of the cache could be read: the record at byte \d+ is damaged\n$/,
  )
})

test('an import into a damaged cache says what it lost, once', async () => {
  await fill('0x7')
  await run(['export', file])
  await writeFile(join(forkFolder(cache, BLOCK), 'facts-2'), '\nAAAA.00000000\n', { flag: 'a' })
  expect((await run(['import', file])).stdout).toMatch(
    /0 of them new\nnot all facts of the cache could be read: the record at byte \d+ is damaged and was removed\n$/,
  )
  expect((await run(['import', file])).stdout).toMatch(/0 of them new\n$/)
})

test('the fork of an export is named by chain and block', async () => {
  for (const block of [BLOCK, OTHER, blockOf(20_000_000, 7n)]) await fill('0x7', block)
  const shown = async (...flags: readonly string[]) => (await run(['export', file, ...flags])).stdout
  expect(await shown('--chain-id', '99')).toContain(TITLE)
  expect(await shown('--block', '5')).toContain('chain 7, block 5')
  expect(await shown('--chain-id', '0x7', '--block', BLOCK.blockHash)).toContain('chain 7, block 20000000')
  const ambiguous = await run(['export', file, '--block', '20000000'])
  expect(ambiguous).toMatchObject({ code: 1, stdout: '' })
  expect(ambiguous.stderr.split('\n')).toHaveLength(4)
})

describe('an error says what was wrong', () => {
  test.each([
    [[], 'cache: expected export or import, got nothing'],
    [['exprt'], 'cache: expected export or import, got exprt'],
    [['export'], 'cache export: expected a file behind it'],
    [['export', 'a', 'b'], 'unexpected argument b'],
    [['import'], 'cache import: expected a file behind it'],
    [['import', 'a', '--block', '5'], 'cache import has no flag --block'],
    [['export', 'a', '--chain-id', 'mainnet'], '--chain-id: expected a whole number, got "mainnet"'],
    [
      ['export', 'a', '--block', 'latest'],
      '--block: expected the number or the hash of a block, got "latest"',
    ],
    [['export', 'a', '--fork-cache'], '--fork-cache: expected a value behind it'],
    [['export', 'a'], 'has no fork; it is empty'],
    [['import', 'missing.cache'], 'cache: cannot use missing.cache: ENOENT'],
    [
      ['import', 'package.json'],
      'cannot use package.json: it is not a file of dev-node cache export that this release can read',
    ],
  ])('%j', async (argv, message) => {
    const { code, stdout, stderr } = await run(argv)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(message)
    expect(await readdir(folder)).toEqual([])
  })

  test('without a cache', async () => {
    const { code, stderr } = await run(['export', file], { DEV_NODE_FORK_CACHE: 'false' })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'dev-node: cache: name a folder with --fork-cache (see: npx dev-node help DN-MISSING)\n',
    })
  })
})
