/** The forks that a node has open. Chains that continue one remote share its connection and the facts about a block. */

import type { Host } from '../base/host.ts'
import { present } from '../base/invariant.ts'
import { SharedValues } from '../base/shared-values.ts'
import type { ValueLease } from '../base/shared-values.ts'
import type { Options } from '../config/options.ts'
import { defaultCacheFolder } from './cache-folder.ts'
import { FactStore } from './fact-store.ts'
import { findForkBlock } from './fork-block.ts'
import type { FoundBlock } from './fork-block.ts'
import { ForkCache } from './fork-cache.ts'
import { RemoteClient } from './remote-client.ts'
import { remoteSettingsOf } from './remote-settings.ts'
import { Remote } from './remote.ts'

/** A remote, and the store of its facts about one block. */
interface StoredRemote {
  readonly remote: Remote
  readonly store: FactStore
}

/** A block of a remote, and the use of that remote. */
export interface RemoteLease {
  /** The URL without its secrets. */
  readonly shownUrl: string
  readonly found: FoundBlock
  readonly remote: Remote
  /** Another use of the same remote, which ends on its own. */
  readonly share: () => RemoteLease
  /** Ends the use. After the last one the cache is written and the connection is closed. */
  readonly release: () => Promise<void>
}

/** The open forks of one node. */
export class OpenForks {
  /** Folder of the cache; absent if the options turn it off. */
  readonly cacheFolder: string | undefined
  readonly #host: Host
  readonly #cache: ForkCache | undefined
  readonly #clients = new SharedValues<RemoteClient>((client) => client.close())
  readonly #remotes = new SharedValues<StoredRemote>(({ store }) => store.close())

  /** `onFault` is called with a sentence for the user when the cache cannot be used. */
  constructor(options: Options, host: Host, onFault: (sentence: string) => void) {
    this.#host = host
    this.cacheFolder = cacheFolderOf(options)
    this.#cache =
      this.cacheFolder === undefined ? undefined : new ForkCache(this.cacheFolder, { host, onFault })
  }

  /** Finds the block that the options name. @throws NodeError 'remoteFailed', 'invalidOption' */
  async open(options: Options): Promise<RemoteLease> {
    const settings = present(remoteSettingsOf(options), 'URL of a fork')
    const host = this.#host
    const key = JSON.stringify(settings)
    const client = await this.#clients.use(key, () => new RemoteClient(settings, host))
    try {
      const record = this.#cache?.remote(settings.url)
      const found = await findForkBlock(options, { client: client.value, settings, host, record })
      const block = `${key} ${found.chainId} ${found.blockHash}`
      return leaseOf(
        found,
        client,
        await this.#remotes.use(block, () => this.#openRemote(client.value, found)),
      )
    } catch (error) {
      await client.release()
      throw error
    }
  }

  async #openRemote(client: RemoteClient, found: FoundBlock): Promise<StoredRemote> {
    const store = (await this.#cache?.openStore(found)) ?? new FactStore()
    const { blockNumber: number, blockHash: hash, depth } = found
    const facts = { block: { number, hash }, isAway: depth === undefined }
    return { remote: new Remote(client, store, facts), store }
  }
}

function leaseOf(
  found: FoundBlock,
  client: ValueLease<RemoteClient>,
  stored: ValueLease<StoredRemote>,
): RemoteLease {
  return {
    shownUrl: client.value.shownUrl,
    found,
    remote: stored.value.remote,
    share: () => leaseOf(found, client.share(), stored.share()),
    release: async () => {
      await stored.release()
      await client.release()
    },
  }
}

function cacheFolderOf({ forkCache, noForkCache }: Options): string | undefined {
  if (forkCache === false || noForkCache === true) return undefined
  return forkCache ?? defaultCacheFolder({})
}
