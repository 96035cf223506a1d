/**
 * Records what a start needs to know of a remote: its chain id, and the hashes of blocks to fork from. Each remote has a file of lines,
 * to which processes append without a lock. Its name is a hash of the URL, because a URL may contain a key.
 */

import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asHash, toHex } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import { sha256 } from '../crypto/sha256.ts'
import { isCached } from './cached-forks.ts'
import type { ForkedBlock } from './cached-forks.ts'

/** Folder of the records in a cache folder. */
const REMOTES = 'remotes-2'

/** Facts about a remote that do not depend on a block. The caller adds only what cannot change, such as finalized blocks. */
export class RemoteRecord {
  readonly #cacheFolder: string
  readonly #path: string
  readonly #onFailure: (error: unknown) => void

  constructor(cacheFolder: string, url: string, onFailure: (error: unknown) => void) {
    this.#cacheFolder = cacheFolder
    this.#path = join(cacheFolder, REMOTES, toHex(sha256(Buffer.from(new URL(url).href))).slice(2))
    this.#onFailure = onFailure
  }

  /** Chain id of the remote; undefined if it is not known. */
  async chainId(): Promise<bigint | undefined> {
    const [, id] = (await this.#last(/^chain (\d+)$/)) ?? []
    return id === undefined ? undefined : BigInt(id)
  }

  async rememberChainId(chainId: bigint): Promise<void> {
    if ((await this.chainId()) !== chainId) await this.#append(`chain ${chainId}`)
  }

  /** Hash of a block; undefined if it is not known, or if the cache has no facts about the block. */
  async blockHash(chainId: bigint, blockNumber: bigint): Promise<Hash | undefined> {
    const [, hash] =
      (await this.#last(new RegExp(`^block ${chainId} ${blockNumber} (0x[0-9a-f]{64})$`))) ?? []
    if (hash === undefined) return undefined
    const block = { chainId, blockNumber, blockHash: asHash(hash) }
    return (await isCached(this.#cacheFolder, block)) ? block.blockHash : undefined
  }

  /** Remembers the hash of a finalized block. A later hash replaces an earlier one: a local chain may have begun anew. */
  async rememberBlockHash({ chainId, blockNumber, blockHash }: ForkedBlock): Promise<void> {
    const line = `block ${chainId} ${blockNumber} ${blockHash}`
    const [last] = (await this.#last(new RegExp(`^block ${chainId} ${blockNumber} `))) ?? []
    if (last !== line) await this.#append(line)
  }

  /** The last line that matches. A part of a line, as a killed process leaves it, matches no pattern. */
  async #last(pattern: RegExp): Promise<RegExpExecArray | undefined> {
    const text = await readFile(this.#path, 'utf8').catch(() => '')
    const found = text.split('\n').map((line) => pattern.exec(line))
    return found.findLast((match) => match !== null) ?? undefined
  }

  async #append(line: string): Promise<void> {
    try {
      await mkdir(dirname(this.#path), { recursive: true })
      await appendFile(this.#path, `\n${line}\n`)
    } catch (error) {
      this.#onFailure(error)
    }
  }
}

/** Forgets all remotes. */
export async function forgetRemotes(cacheFolder: string): Promise<void> {
  await rm(join(cacheFolder, REMOTES), { recursive: true, force: true })
}
