/** Finds the block of a fork in the cache. */

import type { Options } from '../config/options.ts'
import { findFork, type ForkedBlock } from './cached-forks.ts'
import type { RemoteRecord } from './fork-cache.ts'
import { remoteFailed } from './remote-error.ts'

/** The record of a remote from earlier runs; undefined without a cache. */
export type RecordOf = (url: string) => RemoteRecord | undefined

/** The block with a number, by the first record that knows it. */
export async function recordedBlock(
  { forkUrl: urls = [], forkChainId }: Options,
  blockNumber: bigint,
  recordOf: RecordOf,
): Promise<ForkedBlock | undefined> {
  for (const url of urls) {
    const record = recordOf(url)
    const chainId = forkChainId ?? (await record?.chainId())
    const blockHash = chainId && (await record?.blockHash(chainId, blockNumber))
    if (chainId && blockHash) return { chainId, blockNumber, blockHash }
  }
  return undefined
}

/**
 * The block that the options name, without asking a remote (--fork-cache-only): that of an earlier run with the URL, or else the only one
 * in the cache with the number and the chain id, each of which may be left out.
 * @throws NodeError 'remoteFailed' if none fits, or several
 */
export async function findCachedBlock(
  options: Options,
  cacheFolder: string | undefined,
  recordOf: RecordOf,
): Promise<ForkedBlock> {
  const { forkBlockNumber: wanted, forkChainId: chainId } = options
  if (cacheFolder === undefined) throw remoteFailed('--fork-cache-only: there is no fork cache')
  if (wanted !== undefined && (typeof wanted !== 'bigint' || wanted < 0n))
    throw remoteFailed(
      `--fork-cache-only: the cache does not know the head of the chain; name the block by its number, not as ${wanted}`,
    )
  const recorded = wanted === undefined ? undefined : await recordedBlock(options, wanted, recordOf)
  if (recorded !== undefined) return recorded
  const advice = 'name one with --fork-chain-id and --fork-block-number'
  return (await findFork(cacheFolder, { chainId, blockNumber: wanted }, advice)).block
}
