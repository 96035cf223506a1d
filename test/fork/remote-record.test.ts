import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { RemoteRecord } from '../../lib/fork/fork-cache.ts'
import { BLOCK, addFacts, blockOf } from '../support/fork-cache.ts'

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
  return new RemoteRecord(folder, url, onFailure)
}

test('a remote is known by its URL, to every process', async () => {
  await addFacts(folder, { known: true })
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
  await addFacts(folder, { known: true }, { ...BLOCK, blockHash })
  await recordOf().rememberBlockHash({ ...BLOCK, blockHash })
  expect(await recordOf().blockHash(1n, BLOCK.blockNumber)).toBe(blockHash)
})

test('simultaneous writers lose nothing', async () => {
  const blocks = Array.from({ length: 50 }, (_, index) => blockOf(index))
  await Promise.all(blocks.map((block) => addFacts(folder, { known: true }, block)))
  const twice = [...blocks, ...blocks]
  await Promise.all(twice.map((block) => recordOf().rememberBlockHash(block)))
  for (const block of blocks) expect(await recordOf().blockHash(1n, block.blockNumber)).toBe(block.blockHash)
})

test('a line that was not finished counts as absent, and the next line is whole', async () => {
  await addFacts(folder, { known: true })
  await recordOf().rememberChainId(33n)
  const [remote] = await readdir(join(folder, 'remotes-2'))
  await writeFile(join(folder, 'remotes-2', remote!), `block 1 ${BLOCK.blockNumber} 0x12`)
  expect(await recordOf().chainId()).toBeUndefined()
  expect(await recordOf().blockHash(1n, BLOCK.blockNumber)).toBeUndefined()
  await recordOf().rememberBlockHash(BLOCK)
  expect(await recordOf().blockHash(1n, BLOCK.blockNumber)).toBe(BLOCK.blockHash)
})

test('a block without facts is not known', async () => {
  await recordOf().rememberChainId(1n)
  await recordOf().rememberBlockHash(BLOCK)
  expect(await recordOf().blockHash(1n, BLOCK.blockNumber)).toBeUndefined()
})
