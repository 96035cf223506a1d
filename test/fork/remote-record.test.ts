import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { remoteRecord, type RemoteRecord } from '../../lib/fork/fork-cache.ts'
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
  return remoteRecord(folder, url, onFailure)
}

test('a remote is known by its URL, to every process', async () => {
  await addFacts(folder, { known: true })
  expect(await recordOf().block(BLOCK.blockNumber)).toBeUndefined()
  await recordOf().rememberChainId(1n)
  await recordOf().rememberBlockHash(BLOCK)
  expect(await recordOf().block(BLOCK.blockNumber)).toEqual(BLOCK)
  expect(await recordOf('https://127.0.0.1:443/v3/key').block(BLOCK.blockNumber)).toEqual(BLOCK)
  expect(await recordOf('https://127.0.0.1/v3/other').block(BLOCK.blockNumber)).toBeUndefined()
  expect(await recordOf().block(5n)).toBeUndefined()
})

test('a block is that of the last chain, or of a given one', async () => {
  await addFacts(folder, { known: true })
  await recordOf().rememberBlockHash(BLOCK)
  expect(await recordOf().block(BLOCK.blockNumber)).toBeUndefined()
  await recordOf().rememberChainId(33n)
  expect(await recordOf().block(BLOCK.blockNumber)).toBeUndefined()
  expect(await recordOf().block(BLOCK.blockNumber, 1n)).toEqual(BLOCK)
  expect(await recordOf().block(BLOCK.blockNumber, 33n)).toBeUndefined()
})

test('the newest hash of a number counts, as of a local chain that began anew', async () => {
  await recordOf().rememberBlockHash(BLOCK)
  const { blockHash } = blockOf(7)
  await addFacts(folder, { known: true }, { ...BLOCK, blockHash })
  await recordOf().rememberBlockHash({ ...BLOCK, blockHash })
  expect(await recordOf().block(BLOCK.blockNumber, 1n)).toEqual({ ...BLOCK, blockHash })
})

test('simultaneous writers lose nothing', async () => {
  const blocks = Array.from({ length: 50 }, (_, index) => blockOf(index))
  await Promise.all(blocks.map((block) => addFacts(folder, { known: true }, block)))
  const twice = [...blocks, ...blocks]
  await Promise.all(twice.map((block) => recordOf().rememberBlockHash(block)))
  for (const block of blocks) expect(await recordOf().block(block.blockNumber, 1n)).toEqual(block)
})

test('a line that was not finished counts as absent, and the next line is whole', async () => {
  await addFacts(folder, { known: true })
  await recordOf().rememberChainId(1n)
  const [remote] = await readdir(join(folder, 'remotes-2'))
  await writeFile(join(folder, 'remotes-2', remote!), `block 1 ${BLOCK.blockNumber} 0x12`)
  expect(await recordOf().block(BLOCK.blockNumber, 1n)).toBeUndefined()
  await recordOf().rememberBlockHash(BLOCK)
  expect(await recordOf().block(BLOCK.blockNumber, 1n)).toEqual(BLOCK)
  expect(await recordOf().block(BLOCK.blockNumber)).toBeUndefined()
})

test('a block without facts is not known', async () => {
  await recordOf().rememberChainId(1n)
  await recordOf().rememberBlockHash(BLOCK)
  expect(await recordOf().block(BLOCK.blockNumber)).toBeUndefined()
})
