import { mkdtemp, readdir, rm, symlink, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { forkFolder, listForks } from '../../lib/fork/cached-forks.ts'
import { BLOCK, addFacts, blockOf, cacheIn } from '../support/fork-cache.ts'
import { fakeProcess } from './fake-server.ts'

const URL = 'http://127.0.0.1:1/key'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-cache-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs `dev-node cache` on the folder of the test. */
async function run(...argv: readonly string[]) {
  const { io, written } = fakeProcess(['cache', ...argv])
  const code = await main({ ...io, env: { DEV_NODE_FORK_CACHE: folder } })
  return { code, ...written }
}

/** Makes forks of two chains, each last used at the second of its number. */
async function fill(): Promise<void> {
  for (const block of [BLOCK, blockOf(70), blockOf(5, 33n)]) {
    await addFacts(folder, { one: '0x1', two: '0x2' }, block)
    await utimes(forkFolder(folder, block), Number(block.blockNumber), Number(block.blockNumber))
    await cacheIn(folder).cache.remote(URL).rememberBlockHash(block)
  }
  await cacheIn(folder).cache.remote(URL).rememberChainId(1n)
}

const left = async (): Promise<readonly bigint[]> =>
  (await listForks(folder)).map(({ blockNumber }) => blockNumber)

/** Numbers whose hashes are known without asking the remote. */
async function known(): Promise<readonly bigint[]> {
  const remote = cacheIn(folder).cache.remote(URL)
  const hashes = await Promise.all(
    [BLOCK, blockOf(70), blockOf(5, 33n)].map(async ({ chainId, blockNumber }) =>
      (await remote.blockHash(chainId, blockNumber)) === undefined ? [] : [blockNumber],
    ),
  )
  return hashes.flat()
}

describe('the list', () => {
  test.each([[[]], [['list']]])('of %j has a line per fork and a sum', async (argv) => {
    await fill()
    const bytes = (await listForks(folder)).map((fork) => `${fork.bytes} B`)
    expect(await run(...argv)).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        `chain  block     hash${' '.repeat(62)}  facts  size  last used`,
        `1      70        ${blockOf(70).blockHash}  2      ${bytes[0]}  1970-01-01 00:01 UTC`,
        `1      18000000  ${BLOCK.blockHash}  2      ${bytes[1]}  1970-07-28 08:00 UTC`,
        `33     5         ${blockOf(5).blockHash}  2      ${bytes[2]}  1970-01-01 00:00 UTC`,
        `3 forks, ${bytes.reduce((sum, text) => sum + parseInt(text), 0)} B; at 1.0 GB the oldest are removed`,
        folder,
        '',
      ].join('\n'),
    })
  })

  test('names the process that uses a fork, and only the forks that are asked for', async () => {
    await fill()
    const store = await cacheIn(folder).cache.openStore(blockOf(70))
    const { stdout } = await run('--chain', '1', '--block=70')
    await store.close()
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(new RegExp(` in use by process ${process.pid}$`)),
      expect.stringMatching(/^1 fork, /),
    ])
  })

  test('is JSON with --json', async () => {
    await fill()
    const { stdout } = await run('--json', '--chain', '0x21')
    const { bytes } = (await listForks(folder)).at(2)!
    const fork = {
      chainId: 33,
      blockNumber: 5,
      blockHash: blockOf(5).blockHash,
      facts: 2,
      bytes,
      lastUsed: '1970-01-01T00:00:05.000Z',
      users: [],
    }
    expect(stdout.split('\n')).toEqual([expect.any(String), ''])
    expect(JSON.parse(stdout)).toEqual({ folder, forks: [fork] })
  })

  test('of an empty cache says so', async () => {
    expect((await run()).stdout).toBe(`no forks in ${folder}\n`)
    expect((await run('clear')).stdout).toBe(`no forks to remove in ${folder}\n`)
  })
})

describe('clear', () => {
  test('removes all forks, and what is known of remotes', async () => {
    await fill()
    const { code, stdout } = await run('clear')
    expect([code, stdout.replace(/\d+ B/g, '')]).toEqual([
      0,
      'removed block 70 of chain 1: \nremoved block 18000000 of chain 1: \nremoved block 5 of chain 33: \n',
    ])
    expect(await readdir(folder)).toEqual([])
  })

  test.each([
    [['--chain', '1'], [5n]],
    [
      ['--block', '70'],
      [18_000_000n, 5n],
    ],
    [
      ['--block', BLOCK.blockHash.toUpperCase().replace('X', 'x')],
      [70n, 5n],
    ],
    [
      ['--chain', '33', '--block', '70'],
      [70n, 18_000_000n, 5n],
    ],
  ])('%j removes the forks that are named, and their hashes', async (argv, expected) => {
    await fill()
    expect((await run('clear', ...argv)).code).toBe(0)
    expect(await left()).toEqual(expected)
    expect((await known()).toSorted()).toEqual(expected.toSorted())
    expect(await cacheIn(folder).cache.remote(URL).chainId()).toBe(1n)
  })

  test('skips a fork that a live process uses, with exit code 1', async () => {
    await fill()
    const store = await cacheIn(folder).cache.openStore(blockOf(70))
    const { code, stdout } = await run('clear')
    expect([code, stdout.split('\n').at(-2)]).toEqual([
      1,
      `skipped block 70 of chain 1: in use by process ${process.pid}`,
    ])
    expect(await left()).toEqual([70n])
    expect(await known()).toEqual([70n])
    expect(JSON.parse((await run('clear', '--json')).stdout)).toMatchObject({
      folder,
      removed: [],
      skipped: [{ chainId: 1, blockNumber: 70, users: [process.pid] }],
    })
    expect(store.get('one')).toBe('0x1')
    await store.close()
    expect((await run('clear')).code).toBe(0)
  })
})

describe('the folder', () => {
  test('is that of --fork-cache, of DEV_NODE_FORK_CACHE, or that of the user', async () => {
    expect((await run('path', '--fork-cache', './here')).stdout).toBe('./here\n')
    expect((await run('path')).stdout).toBe(`${folder}\n`)
    const { io, written } = fakeProcess(['cache', 'path', '--json'])
    expect(await main({ ...io, env: { XDG_CACHE_HOME: '/caches', LOCALAPPDATA: '/caches' } })).toBe(0)
    expect(JSON.parse(written.stdout).folder).toMatch(/Caches|^\/caches\/dev-node\/fork$/)
  })

  test('that cannot be read is named', async () => {
    const loop = join(folder, 'loop')
    await symlink(loop, loop)
    const { code, stderr } = await run('--fork-cache', loop)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`dev-node: the fork cache ${loop}: ELOOP: `)])
  })
})

test.each([
  [['lst'], 'dev-node cache cannot lst; did you mean list?'],
  [['remove'], 'dev-node cache cannot remove; there are list, clear, path'],
  [['clear', 'all'], 'unexpected argument all'],
  [['path', '--chain', '1'], 'dev-node cache path has no flag --chain'],
  [['--chian', '1'], 'dev-node cache list has no flag --chian; did you mean --chain?'],
  [['--port', '1'], 'dev-node cache list has no flag --port'],
  [['--chain'], '--chain: expected a value behind it'],
  [['--chain', 'one'], '--chain: expected a chain id, got "one"'],
  [['--block', '0x'], '--block: expected a block number or a block hash, got "0x"'],
  [['--chain', '1', '--chain', '2'], '--chain: give it once'],
])('%j is refused', async (argv, message) => {
  expect(await run(...argv)).toEqual({ code: 1, stdout: '', stderr: `dev-node: ${message}\n` })
})

test('the help names actions and flags', async () => {
  const { code, stdout } = await run('--help')
  expect(code).toBe(0)
  for (const text of [
    'dev-node cache [action] [options]',
    'list ',
    'clear ',
    'path ',
    '--fork-cache',
    '--chain',
    '--block',
  ])
    expect(stdout).toContain(text)
  const { io, written } = fakeProcess(['--help'])
  await main(io)
  expect(written.stdout).toContain('dev-node cache [options]')
})
