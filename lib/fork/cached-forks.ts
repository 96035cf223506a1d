/** The forks in a cache folder: a folder for each block that was forked from, `<chain id>/<block number>-<block hash>`. */

import { readFile, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Hash } from '../base/hex.ts'
import { asHash } from '../base/hex.ts'
import { readRecords } from './fact-file.ts'
import { listFactFiles, whenMissing } from './fact-folder.ts'

/** The block that a fork continues from. */
export interface ForkedBlock {
  readonly chainId: bigint
  readonly blockNumber: bigint
  readonly blockHash: Hash
}

/** A fork in the cache. */
export interface CachedFork extends ForkedBlock {
  readonly folder: string
  readonly bytes: number
  /** When a node last started with the fork, in milliseconds since the epoch. */
  readonly lastUsedMs: number
  /** Live processes that use the fork. */
  readonly users: readonly number[]
}

const CHAIN_NAME = /^\d{1,20}$/
const BLOCK_NAME = /^(\d{1,20})-(0x[0-9a-f]{64})$/

/** The folder of a fork. */
export function forkFolder(cacheFolder: string, { chainId, blockNumber, blockHash }: ForkedBlock): string {
  return join(cacheFolder, String(chainId), `${blockNumber}-${blockHash}`)
}

/** The forks in a cache folder, by chain and number; none if the folder does not exist. */
export async function listForks(cacheFolder: string): Promise<readonly CachedFork[]> {
  const chains = (await readdir(cacheFolder).catch(whenMissing([]))).filter((name) => CHAIN_NAME.test(name))
  const forks = await Promise.all(chains.map((chain) => listChain(join(cacheFolder, chain), BigInt(chain))))
  return forks.flat().toSorted(byChainAndNumber)
}

async function listChain(chainFolder: string, chainId: bigint): Promise<readonly CachedFork[]> {
  const names = await readdir(chainFolder).catch(whenMissing([]))
  const forks = await Promise.all(
    names.map(async (name) => {
      const [, number, hash] = BLOCK_NAME.exec(name) ?? []
      if (number === undefined || hash === undefined) return undefined
      const block = { chainId, blockNumber: BigInt(number), blockHash: asHash(hash) }
      return describeFork(join(chainFolder, name), block)
    }),
  )
  return forks.filter((fork) => fork !== undefined)
}

async function describeFork(folder: string, block: ForkedBlock): Promise<CachedFork | undefined> {
  const found = await stat(folder).catch(whenMissing(undefined))
  if (found === undefined) return undefined
  const files = await listFactFiles(folder)
  const users = files.map(({ writer }) => writer).filter((writer) => writer !== undefined)
  // Every start makes a file, which changes the time of the folder.
  const lastUsedMs = found.mtimeMs
  return { ...block, folder, bytes: sumOfBytes(files), lastUsedMs, users: [...new Set(users)] }
}

function sumOfBytes(all: readonly { readonly bytes: number }[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0)
}

function byChainAndNumber(one: ForkedBlock, other: ForkedBlock): number {
  if (one.chainId !== other.chainId) return one.chainId < other.chainId ? -1 : 1
  return one.blockNumber < other.blockNumber ? -1 : 1
}

/** Number of facts in the files of a fork. A fact that two processes wrote counts twice until their files are merged. */
export async function countFacts({ folder }: CachedFork): Promise<number> {
  let sum = 0
  for (const { path } of await listFactFiles(folder)) {
    const { records } = readRecords(await readFile(path).catch(whenMissing(Buffer.alloc(0))))
    for (const { facts } of records) sum += facts
  }
  return sum
}

/** Removes a fork that no process uses. */
export async function removeFork({ folder }: CachedFork): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  // Fails if the chain has other forks.
  await rmdir(dirname(folder)).catch(() => undefined)
}

/** Removes the forks that were not used for the longest time, until the cache has at most these bytes. */
export async function limitCache(cacheFolder: string, maxBytes: number): Promise<void> {
  const forks = await listForks(cacheFolder)
  let bytes = sumOfBytes(forks)
  for (const fork of forks.toSorted((one, other) => one.lastUsedMs - other.lastUsedMs)) {
    if (bytes <= maxBytes) return
    if (fork.users.length > 0) continue
    await removeFork(fork)
    bytes -= fork.bytes
  }
}
