/**
 * What a start needs to know of a remote: its chain id, and the hash of the block to fork from. Each is a small file of its own,
 * so that two processes write without a lock. The name of the folder is a hash of the URL, because a URL may contain a key.
 */

import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asHash, toHex } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import { replaceFile, temporaryPathOf } from '../files/replace-file.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { ForkedBlock } from './cached-forks.ts'
import { whenMissing } from './fact-folder.ts'
import type { WriterDependencies } from './fact-writer.ts'

/** Folder of the records in a cache folder. */
const REMOTES = 'remotes'

const CHAIN_ID = 'chain-id'

/** Facts about a remote that do not depend on a block. The caller adds only what cannot change, such as finalized blocks. */
export class RemoteRecord {
  readonly #folder: string
  readonly #onFailure: (error: unknown) => void

  constructor(cacheFolder: string, url: string, { onFailure }: Pick<WriterDependencies, 'onFailure'>) {
    const name = toHex(sha256(Buffer.from(new URL(url).href))).slice(2)
    this.#folder = join(cacheFolder, REMOTES, name)
    this.#onFailure = onFailure
  }

  /** Chain id of the remote; undefined if it is not known. */
  async chainId(): Promise<bigint | undefined> {
    const text = await this.#read(CHAIN_ID)
    return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined
  }

  async rememberChainId(chainId: bigint): Promise<void> {
    await this.#write(CHAIN_ID, String(chainId))
  }

  /** Hash of a block; undefined if it is not known. */
  async blockHash(chainId: bigint, blockNumber: bigint): Promise<Hash | undefined> {
    const text = await this.#read(blockName(chainId, blockNumber))
    return text !== undefined && /^0x[0-9a-f]{64}$/.test(text) ? asHash(text) : undefined
  }

  /** Remembers the hash of a finalized block. A later hash replaces an earlier one: a local chain may have begun anew. */
  async rememberBlockHash({ chainId, blockNumber, blockHash }: ForkedBlock): Promise<void> {
    await this.#write(blockName(chainId, blockNumber), blockHash)
  }

  #read(name: string): Promise<string | undefined> {
    return readFile(join(this.#folder, name), 'utf8').catch(() => undefined)
  }

  /** Replaces a file by renaming, so that a reader never sees a part of it. */
  async #write(name: string, text: string): Promise<void> {
    if ((await this.#read(name)) === text) return
    const path = join(this.#folder, name)
    try {
      await mkdir(dirname(path), { recursive: true })
      await replaceFile({ path, temporaryPath: temporaryPathOf(path) }, text)
    } catch (error) {
      this.#onFailure(error)
    }
  }
}

const blockName = (chainId: bigint, blockNumber: bigint): string => join(String(chainId), String(blockNumber))

/** Forgets the number of a removed fork, at all remotes. */
export async function forgetBlock(cacheFolder: string, { chainId, blockNumber }: ForkedBlock): Promise<void> {
  const folder = join(cacheFolder, REMOTES)
  for (const remote of await readdir(folder).catch(whenMissing([])))
    await rm(join(folder, remote, blockName(chainId, blockNumber)), { force: true })
}

/** Forgets all remotes. */
export async function forgetRemotes(cacheFolder: string): Promise<void> {
  await rm(join(cacheFolder, REMOTES), { recursive: true, force: true })
}
