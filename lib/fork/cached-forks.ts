/** The forks in a cache folder: a folder for each block that was forked from, `<chain id>/<block number>-<block hash>`. */

import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asHash } from '../base/hex.ts'
import { NodeError } from '../base/errors.ts'
import { whenMissing } from '../base/system-errors.ts'
import { usersOf } from '../base/file-claim.ts'
import type { ForkOrigin } from '../chain/remote-history.ts'
import { factsPath } from './fact-store.ts'

export type ForkedBlock = Omit<ForkOrigin, 'url'>

export interface CachedFork {
  readonly block: ForkedBlock
  readonly folder: string
  readonly bytes: number
  /** When a node last started with the fork, in milliseconds since the epoch. */
  readonly lastUsedMs: number
}

const FORK_NAME = /^(\d{1,20})[\\/](\d{1,20})-(0x[0-9a-f]{64})$/

export function forkFolder(cacheFolder: string, { chainId, blockNumber, blockHash }: ForkedBlock): string {
  return join(cacheFolder, String(chainId), `${blockNumber}-${blockHash}`)
}

export async function isCached(cacheFolder: string, block: ForkedBlock): Promise<boolean> {
  return (await stat(factsPath(forkFolder(cacheFolder, block))).catch(() => undefined)) !== undefined
}

/** The forks in a cache folder; none if the folder does not exist. */
export async function listForks(cacheFolder: string): Promise<readonly CachedFork[]> {
  const chains = await namesIn(cacheFolder)
  const names = await Promise.all(
    chains.map(async (chain) => (await namesIn(join(cacheFolder, chain))).map((name) => join(chain, name))),
  )
  const forks = await Promise.all(names.flat().map((name) => describeFork(cacheFolder, name)))
  return forks.filter((fork) => fork !== undefined)
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(whenMissing([]))

async function describeFork(cacheFolder: string, name: string): Promise<CachedFork | undefined> {
  const [, chainId, blockNumber, blockHash] = FORK_NAME.exec(name) ?? []
  if (chainId === undefined || blockNumber === undefined || blockHash === undefined) return undefined
  const folder = join(cacheFolder, name)
  const stats = await stat(folder).catch(whenMissing(undefined))
  if (stats === undefined) return undefined
  const files = await Promise.all(
    (await namesIn(folder)).map((file) => stat(join(folder, file)).catch(whenMissing(undefined))),
  )
  return {
    block: { chainId: BigInt(chainId), blockNumber: BigInt(blockNumber), blockHash: asHash(blockHash) },
    folder,
    bytes: files.reduce((sum, file) => sum + (file?.size ?? 0), 0),
    // Every start makes a claim, which changes the folder's time.
    lastUsedMs: stats.mtimeMs,
  }
}

/** The criteria by which a fork is found. */
export type WantedFork = { readonly [Name in keyof ForkedBlock]?: ForkedBlock[Name] | undefined }

/** The only matching fork. `advice` says how to name one. @throws NodeError 'remoteFailed' with a list of the forks */
export async function findFork(
  cacheFolder: string,
  { chainId, blockNumber, blockHash }: WantedFork,
  advice: string,
): Promise<CachedFork> {
  const forks = (await listForks(cacheFolder)).filter(({ bytes }) => bytes > 0)
  const fitting = forks.filter(
    ({ block }) =>
      (chainId === undefined || block.chainId === chainId) &&
      (blockNumber === undefined || block.blockNumber === blockNumber) &&
      (blockHash === undefined || block.blockHash === blockHash),
  )
  const [first] = fitting
  if (first !== undefined && fitting.length === 1) return first
  const listed = (first === undefined ? forks : fitting).map(({ block }) => `\n  ${describeBlock(block)}`)
  const wanted = [
    ['chain', chainId],
    ['block', blockNumber],
    ['block', blockHash],
  ]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` of ${name} ${value}`)
  const problem = first === undefined ? `has no fork${wanted.join('')}` : `has several such forks: ${advice}`
  const list = listed.length === 0 ? '; it is empty' : `; it has${listed.slice(0, MAX_LISTED).join('')}`
  throw new NodeError('remoteFailed', `the fork cache ${cacheFolder} ${problem}${list}`, { code: 'DN-CACHE' })
}

const MAX_LISTED = 10

export const describeBlock = ({ chainId, blockNumber, blockHash }: ForkedBlock): string =>
  `chain ${chainId}, block ${blockNumber} ${blockHash}`

/** Removes the least recently used forks until the cache has at most these bytes. */
export async function limitCache(cacheFolder: string, maxBytes: number): Promise<void> {
  const forks = await listForks(cacheFolder)
  let bytes = forks.reduce((sum, fork) => sum + fork.bytes, 0)
  for (const fork of forks.toSorted((one, other) => one.lastUsedMs - other.lastUsedMs)) {
    if (bytes <= maxBytes) return
    // Checked here, because a node may have started with the fork since the list was made.
    if ((await usersOf(factsPath(fork.folder)).catch(whenMissing([]))).length > 0) continue
    await rm(fork.folder, { recursive: true, force: true })
    // This fails if the chain has other forks.
    await rmdir(dirname(fork.folder)).catch(() => undefined)
    bytes -= fork.bytes
  }
}
