/** Finds the block of a fork in the cache alone (--fork-cache-only). */

import type { Options } from '../config/options.ts'
import { findFork } from './cached-forks.ts'
import type { FoundBlock } from './fork-block.ts'
import type { RemoteRecord } from './fork-cache.ts'
import { remoteFailed } from './remote-error.ts'

/**
 * The block that the options name. Without a number it is the only one in the cache; without a chain id it is that of the URL in an
 * earlier run, if there was one.
 * @throws NodeError 'remoteFailed' if none fits, or several
 */
export async function findCachedBlock(
  { forkUrl: urls = [], forkBlockNumber: wanted, forkChainId }: Options,
  cacheFolder: string | undefined,
  recordOf: (url: string) => RemoteRecord | undefined,
): Promise<FoundBlock> {
  if (cacheFolder === undefined) throw remoteFailed('--fork-cache-only: there is no fork cache')
  if (wanted !== undefined && (typeof wanted !== 'bigint' || wanted < 0n))
    throw remoteFailed(
      `--fork-cache-only: the cache does not know the head of the chain; name the block by its number, not as ${wanted}`,
    )
  const records = urls.flatMap((url) => recordOf(url) ?? [])
  const chainId = forkChainId ?? (await firstKnown(records, (record) => record.chainId()))
  const isKnown = chainId !== undefined && wanted !== undefined
  const blockHash = isKnown
    ? await firstKnown(records, (record) => record.blockHash(chainId, wanted))
    : undefined
  const fork = { chainId, blockNumber: wanted, blockHash }
  const { block } = await findFork(cacheFolder, fork, 'name one with --fork-chain-id and --fork-block-number')
  return { ...block, blocks: new Map(), version: '', depth: undefined }
}

/** The first answer of a record that knows it. */
async function firstKnown<T>(
  records: readonly RemoteRecord[],
  ask: (record: RemoteRecord) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const record of records) {
    const known = await ask(record)
    if (known !== undefined) return known
  }
  return undefined
}
