import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { RemoteRecord, forgetBlock, forgetRemotes } from '../../lib/fork/remote-record.ts'
import { BLOCK, blockOf } from '../support/fork-cache.ts'

const URL_ONE = 'https://127.0.0.1/v3/key'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-remote-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function recordOf(url = URL_ONE): RemoteRecord {
  const onFailure = (error: unknown): void => {
    throw error
  }
  return new RemoteRecord(folder, url, { onFailure })
}

test('a remote is known by its URL, to every process', async () => {
  expect(await recordOf().chainId()).toBeUndefined()
  await recordOf().rememberChainId(33n)
  await recordOf().rememberBlockHash(BLOCK)
  expect(await recordOf().chainId()).toBe(33n)
  expect(await recordOf('https://127.0.0.1:443/v3/key').chainId()).toBe(33n)
  expect(await recordOf('https://127.0.0.1/v3/other').chainId()).toBeUndefined()
  expect(await recordOf().blockHash(1n, BLOCK.blockNumber)).toBe(BLOCK.blockHash)
  expect(await recordOf().blockHash(33n, BLOCK.blockNumber)).toBeUndefined()
  expect(await recordOf().blockHash(1n, 5n)).toBeUndefined()
})

test('the newest hash of a number counts, as of a local chain that began anew', async () => {
  await recordOf().rememberBlockHash(BLOCK)
  const { blockHash } = blockOf(7)
  await recordOf().rememberBlockHash({ ...BLOCK, blockHash })
  expect(await recordOf().blockHash(1n, BLOCK.blockNumber)).toBe(blockHash)
})

test('simultaneous writers lose nothing and leave no temporary files', async () => {
  const blocks = Array.from({ length: 50 }, (_, index) => blockOf(index))
  const twice = [...blocks, ...blocks]
  await Promise.all(twice.map((block) => recordOf().rememberBlockHash(block)))
  for (const block of blocks) expect(await recordOf().blockHash(1n, block.blockNumber)).toBe(block.blockHash)
  const [remote] = await readdir(join(folder, 'remotes'))
  expect(await readdir(join(folder, 'remotes', remote!, '1'))).toHaveLength(50)
})

test('a damaged record counts as absent', async () => {
  await recordOf().rememberChainId(33n)
  await recordOf().rememberBlockHash(BLOCK)
  const [remote] = await readdir(join(folder, 'remotes'))
  await writeFile(join(folder, 'remotes', remote!, 'chain-id'), '')
  await writeFile(join(folder, 'remotes', remote!, '1', String(BLOCK.blockNumber)), '0x12')
  expect(await recordOf().chainId()).toBeUndefined()
  expect(await recordOf().blockHash(1n, BLOCK.blockNumber)).toBeUndefined()
})

test('a block is forgotten at all remotes, and all remotes at once', async () => {
  for (const url of [URL_ONE, 'http://127.0.0.1:8545']) {
    await recordOf(url).rememberChainId(1n)
    await recordOf(url).rememberBlockHash(BLOCK)
    await recordOf(url).rememberBlockHash(blockOf(5))
  }
  await forgetBlock(folder, BLOCK)
  for (const url of [URL_ONE, 'http://127.0.0.1:8545']) {
    expect(await recordOf(url).blockHash(1n, BLOCK.blockNumber)).toBeUndefined()
    expect(await recordOf(url).blockHash(1n, 5n)).toBe(blockOf(5).blockHash)
  }
  await forgetRemotes(folder)
  expect(await readdir(folder)).toEqual([])
  await forgetBlock(folder, BLOCK)
})
