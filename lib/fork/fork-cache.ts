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
  /** The last value of a name. A part of a value, as a killed process leaves it, does not have the form. */
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
    /** The block with a number; undefined if it is not known, or if the cache has no facts about it. Without a chain id it is of the last chain. */
    async block(blockNumber: bigint, chainId?: bigint): Promise<ForkedBlock | undefined> {
      const id = chainId ?? (await last('chain', /^\d+$/))
      const hash = await last(`block ${id} ${blockNumber}`, /^0x[0-9a-f]{64}$/)
      if (id === undefined || hash === undefined) return undefined
      const block = { chainId: BigInt(id), blockNumber, blockHash: asHash(hash) }
      return (await isCached(cacheFolder, block)) ? block : undefined
    },
    rememberChainId: (chainId: bigint) => remember('chain', String(chainId)),
    /** Remembers the hash of a finalized block. A later hash replaces an earlier one: a local chain may have begun anew. */
    rememberBlockHash: ({ chainId, blockNumber, blockHash }: ForkedBlock) =>
      remember(`block ${chainId} ${blockNumber}`, blockHash),
  }
}

export type RemoteRecord = ReturnType<typeof remoteRecord>

/** Bytes on disk from which the forks that were not used for the longest time are removed. */
const MAX_CACHE_BYTES = 1024 ** 3

interface ForkCacheOptions {
  readonly host: Host
  /** Called with a sentence for the user about a file that cannot be read, or a disk that cannot be written: each once. */
  readonly onFault: (sentence: string) => void
  readonly maxBytes?: number
}

/** A cache folder. Faults of the disk are reported and make no request fail. */
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
    /** Loads the facts about a block. New ones are written to the disk. */
    async openStore(block: ForkedBlock): Promise<FactStore> {
      const store = await FactStore.open(forkFolder(folder, block), {
        host,
        onFault: (path, fault) => reportOnce(path, `the fork cache cannot use all of ${path}: ${fault}`),
        onFailure,
      })
      // A fault here costs some space on the disk only, and a later start tries again.
      await limitCache(folder, maxBytes).catch(() => undefined)
      return store
    },
    remote: (url: string) => remoteRecord(folder, url, onFailure),
  }
}

/** The record of a remote from earlier runs; undefined without a cache. */
export type RecordOf = (url: string) => RemoteRecord | undefined

/** The block with a number, by the first record that knows it. */
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
