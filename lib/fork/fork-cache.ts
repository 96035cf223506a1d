/** The disk cache of forks, which all processes of a user share: facts by chain and block, and records of remotes. */

import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Host } from '../base/host.ts'
import { asHash, toHex } from '../base/hex.ts'
import { reasonOf } from '../base/system-errors.ts'
import type { Options } from '../config/options.ts'
import { sha256 } from '../crypto/sha256.ts'
import { findFork, forkFolder, limitCache, isCached, type ForkedBlock } from './cached-forks.ts'
import { FactStore } from './fact-store.ts'
import { remoteFailed } from './remote-error.ts'

const REMOTES = 'remotes-2'

/** Facts about a remote that do not depend on a block. The caller adds only what cannot change, such as finalized blocks. */
export function remoteRecord(cacheFolder: string, url: string, onFailure: (error: unknown) => void) {
  const path = join(cacheFolder, REMOTES, toHex(sha256(Buffer.from(new URL(url).href))).slice(2))
  /** The last value of a name that has the expected form. A killed process may leave a partial value. */
  const last = async (name: string, form: RegExp): Promise<string | undefined> => {
    const text = await readFile(path, 'utf8').catch(() => '')
    const lines = text.split('\n').filter((line) => line.startsWith(`${name} `))
    return lines.map((line) => line.slice(name.length + 1)).findLast((value) => form.test(value))
  }
  /** Appends a line with name and value, unless the last line of the name has that value. */
  const remember = async (name: string, value: string): Promise<void> => {
    if ((await last(name, /^/)) === value) return
    try {
      await mkdir(dirname(path), { recursive: true })
      await appendFile(path, `\n${name} ${value}\n`)
    } catch (error) {
      onFailure(error)
    }
  }
  return {
    /** The block with a number; undefined if it is unknown or the cache has no facts about it. The chain id defaults to the last one. */
    async block(blockNumber: bigint, chainId?: bigint): Promise<ForkedBlock | undefined> {
      const id = chainId ?? (await last('chain', /^\d+$/))
      const hash = await last(`block ${id} ${blockNumber}`, /^0x[0-9a-f]{64}$/)
      if (id === undefined || hash === undefined) return undefined
      const block = { chainId: BigInt(id), blockNumber, blockHash: asHash(hash) }
      return (await isCached(cacheFolder, block)) ? block : undefined
    },
    rememberChainId: (chainId: bigint) => remember('chain', String(chainId)),
    /** Remembers the hash of a finalized block. A later hash replaces an earlier one, because a local chain may have been restarted. */
    rememberBlockHash: ({ chainId, blockNumber, blockHash }: ForkedBlock) =>
      remember(`block ${chainId} ${blockNumber}`, blockHash),
  }
}

export type RemoteRecord = ReturnType<typeof remoteRecord>

/** Above this many bytes on disk, the least recently used forks are removed. */
const MAX_CACHE_BYTES = 1024 ** 3

interface ForkCacheOptions {
  readonly host: Host
  /** Called with a sentence for the user, once for each file that cannot be read or disk that cannot be written. */
  readonly onFault: (sentence: string) => void
  readonly maxBytes?: number
}

/** A cache folder. Disk faults are reported and fail no request. */
export function forkCache(folder: string, { host, onFault, maxBytes = MAX_CACHE_BYTES }: ForkCacheOptions) {
  const reported = new Set<string>()
  const reportOnce = (path: string, sentence: string): void => {
    if (reported.has(path)) return
    reported.add(path)
    onFault(sentence)
  }
  const onFailure = (error: unknown): void =>
    reportOnce(
      folder,
      `cannot write to the fork cache ${folder}: ${reasonOf(error)}; new facts stay in memory until it can be written`,
    )
  return {
    /** Loads the facts about a block. New facts are written to disk. */
    async openStore(block: ForkedBlock): Promise<FactStore> {
      const store = await FactStore.open(forkFolder(folder, block), {
        host,
        onFault: (path, fault) => reportOnce(path, `the fork cache cannot use all of ${path}: ${fault}`),
        onFailure,
      })
      // A fault here only costs disk space, and a later start tries again.
      await limitCache(folder, maxBytes).catch(() => undefined)
      return store
    },
    remote: (url: string) => remoteRecord(folder, url, onFailure),
  }
}

/** The record of a remote from earlier runs; undefined without a cache. */
export type RecordOf = (url: string) => RemoteRecord | undefined

/** The block with a number, from the first record that knows it. */
export async function recordedBlock(
  { forkUrl: urls = [], forkChainId }: Options,
  blockNumber: bigint,
  recordOf: RecordOf,
): Promise<ForkedBlock | undefined> {
  for (const url of urls) {
    const block = await recordOf(url)?.block(blockNumber, forkChainId)
    if (block !== undefined) return block
  }
  return undefined
}

/**
 * The block that the options name, without asking a remote (--fork-cache-only): the block of an earlier run with this URL, or else
 * the only one in the cache with this number and chain id, each of which is optional. @throws NodeError 'remoteFailed' if none or
 * several match
 */
export async function findCachedBlock(
  options: Options,
  cacheFolder: string | undefined,
  recordOf: RecordOf,
): Promise<ForkedBlock> {
  const { forkBlockNumber: wanted, forkChainId: chainId } = options
  if (cacheFolder === undefined) throw remoteFailed('--fork-cache-only: there is no fork cache', 'DN-CACHE')
  if (wanted !== undefined && (typeof wanted !== 'bigint' || wanted < 0n))
    throw remoteFailed(
      `--fork-cache-only: the cache does not know the head of the chain; name the block by its number, not as ${wanted}`,
      'DN-CACHE',
    )
  const recorded = wanted === undefined ? undefined : await recordedBlock(options, wanted, recordOf)
  if (recorded !== undefined) return recorded
  const advice = 'name one with --fork-chain-id and --fork-block-number'
  return (await findFork(cacheFolder, { chainId, blockNumber: wanted }, advice)).block
}
