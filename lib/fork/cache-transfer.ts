/** Carries the facts about a block out of the cache into a file, and from files into the cache. */

import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { NodeError } from '../base/errors.ts'
import { realHost } from '../base/host.ts'
import { replaceFile } from '../base/replace-file.ts'
import { reasonOf } from '../base/system-errors.ts'
import { headerHash } from '../chain/header.ts'
import { resolveNetwork } from '../config/resolve-network.ts'
import { resolveOptions } from '../config/resolve-options.ts'
import { hash, quantity64 } from '../schema/wire.ts'
import { packFork, unpackFork } from './cache-file.ts'
import type { KnownFork } from './cache-file.ts'
import { findFork, forkFolder } from './cached-forks.ts'
import type { WantedFork } from './cached-forks.ts'
import { FactStore, factsPath, readFacts } from './fact-store.ts'
import { blockQuestion, keyOf } from './question.ts'
import { parseBlock } from './remote-block.ts'
import { remoteFailed } from './remote-error.ts'
import { readRemote } from './remote-json.ts'

/** Writes the facts about a block to a file. Returns the number of facts, and the fault of a cache that lost some. @throws NodeError 'remoteFailed' */
export async function exportFork(cacheFolder: string, wanted: WantedFork, path: string) {
  const { folder, block } = await findFork(cacheFolder, wanted, 'name one with --chain-id and --block')
  const { facts, fault } = await readFacts(factsPath(folder))
  await within(folder, () => checkBlock({ block, facts }))
  const file = await packFork({ block, facts })
  await within(path, () => replaceFile({ path }, file))
  return { block, count: facts.size, bytes: file.length, fault }
}

/**
 * Adds the facts of files to the cache. Nothing is written unless all files are whole. Returns for each file how many facts it has, how
 * many were added, and the keys of those that have another value in the cache, which stays.
 * @throws NodeError 'remoteFailed'
 */
export async function importForks(cacheFolder: string, paths: readonly string[]) {
  const forks: KnownFork[] = []
  for (const path of paths) forks.push(await within(path, () => readFork(path)))
  const imported: Awaited<ReturnType<typeof importFork>>[] = []
  for (const fork of forks) imported.push(await importFork(cacheFolder, fork))
  return imported
}

async function readFork(path: string): Promise<KnownFork> {
  const fork = await unpackFork(await readFile(path))
  checkBlock(fork)
  return fork
}

async function importFork(cacheFolder: string, { block, facts }: KnownFork) {
  const failures: unknown[] = []
  const store = await FactStore.open(forkFolder(cacheFolder, block), {
    host: realHost,
    // A node that uses the cache reports it.
    onFault: () => undefined,
    onFailure: (error) => failures.push(error),
  })
  const merged = store.merge(facts)
  await store.close()
  const [failure] = failures
  if (failure !== undefined) throw aboutPath(cacheFolder, failure)
  return { block, count: facts.size, ...merged }
}

/** Runs a part of the work on a path, which its errors name. */
async function within<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw aboutPath(path, error)
  }
}

const aboutPath = (path: string, cause: unknown): NodeError =>
  new NodeError('remoteFailed', `cache: cannot use ${path}: ${reasonOf(cause)}`, { cause })

/** Ethereum and its test networks. Elsewhere headers may have members that this node does not know, and then another hash. */
const HASHED_CHAINS = [1n, 11_155_111n, 560_048n]

const blockId = z.looseObject({ number: quantity64, hash })

/** Checks that the facts have the header of their block, and that it has the hash of the block. @throws NodeError 'remoteFailed' */
function checkBlock({ block: { chainId, blockNumber, blockHash }, facts }: KnownFork): void {
  const title = `the header of block ${blockNumber}`
  const text = facts.get(keyOf(blockQuestion(blockNumber)))
  if (text === undefined) throw remoteFailed(`${title} is missing`)
  const json: unknown = JSON.parse(text)
  const found = readRemote(blockId, json, `block ${blockNumber}`)
  if (found.number !== blockNumber || found.hash !== blockHash)
    throw remoteFailed(`${title} is that of block ${found.number} ${found.hash} instead of ${blockHash}`)
  if (!HASHED_CHAINS.includes(chainId)) return
  const hashed = headerHash(parseBlock(json, resolveNetwork(ETHEREUM)).header)
  if (hashed !== blockHash)
    throw remoteFailed(`${title} was changed: its hash is ${hashed} instead of ${blockHash}`)
}

const ETHEREUM = resolveOptions({ values: { network: 'ethereum' } })
