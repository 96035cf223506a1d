/** The disk cache of forks, which all processes of a user share: facts by chain and block, and records of remotes. */

import type { Host } from '../base/host.ts'
import { reasonOf } from '../base/system-errors.ts'
import { forkFolder, limitCache } from './cached-forks.ts'
import type { ForkedBlock } from './cached-forks.ts'
import { FactStore } from './fact-store.ts'
import { RemoteRecord } from './remote-record.ts'

/** Bytes on disk from which the forks that were not used for the longest time are removed. */
export const MAX_CACHE_BYTES = 1024 ** 3

/** Parts and limits of a cache. */
interface ForkCacheOptions {
  readonly host: Host
  /** Called with a sentence for the user about a file that cannot be read, or a disk that cannot be written: each once. */
  readonly onFault: (sentence: string) => void
  readonly maxBytes?: number
}

/** A cache folder. Faults of the disk are reported and make no request fail. */
export class ForkCache {
  readonly #folder: string
  readonly #options: ForkCacheOptions
  /** Paths whose faults were reported. */
  readonly #reported = new Set<string>()

  constructor(folder: string, options: ForkCacheOptions) {
    this.#folder = folder
    this.#options = options
  }

  /** Loads the facts about a block. New ones are written to the disk. */
  async openStore(block: ForkedBlock): Promise<FactStore> {
    const { host, maxBytes = MAX_CACHE_BYTES } = this.#options
    const store = await FactStore.open(forkFolder(this.#folder, block), {
      host,
      onFault: (path, fault) => this.#reportOnce(path, `the fork cache cannot use all of ${path}: ${fault}`),
      onFailure: this.#onWriteFailure,
    })
    // A fault here costs some space on the disk only, and a later start tries again.
    await limitCache(this.#folder, maxBytes).catch(() => undefined)
    return store
  }

  /** The record of the remote with this URL. */
  remote(url: string): RemoteRecord {
    return new RemoteRecord(this.#folder, url, this.#onWriteFailure)
  }

  readonly #onWriteFailure = (error: unknown): void =>
    this.#reportOnce(
      this.#folder,
      `cannot write to the fork cache ${this.#folder}: ${reasonOf(error)}; new facts stay in memory until it can be written`,
    )

  #reportOnce(path: string, sentence: string): void {
    if (this.#reported.has(path)) return
    this.#reported.add(path)
    this.#options.onFault(sentence)
  }
}
