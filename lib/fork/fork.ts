/** Opens a fork: finds the block that the chain continues, and the network whose rules it follows. */

import type { Address } from '../base/hex.ts'
import type { Host } from '../base/host.ts'
import type { RemoteEntry } from '../chain/remote-history.ts'
import type { Network } from '../config/network.ts'
import type { Options } from '../config/options.ts'
import { resolveNetwork } from '../config/resolve-network.ts'
import { consensusOf } from '../consensus/consensus-of.ts'
import { defaultCacheFolder } from './cache-folder.ts'
import { memoryFactStore } from './fact-store.ts'
import type { FactStore } from './fact-store.ts'
import { ForkCache } from './fork-cache.ts'
import { findForkBlock } from './fork-block.ts'
import type { ForkBlock } from './fork-block.ts'
import { hardforkAt } from './known-chains.ts'
import { RemoteBlocks } from './remote-blocks.ts'
import { RemoteClient } from './remote-client.ts'
import { remoteSettingsOf } from './remote-settings.ts'
import { Remote } from './remote.ts'

/** The remote chain that a node continues. */
export interface Fork {
  readonly client: RemoteClient
  /** The block that the chain continues. */
  readonly block: ForkBlock
  /** The network of the remote, with the options applied. */
  readonly network: Network
  /** The newest remote block of the chain. `funded` are balances in wei of accounts that the node funds. */
  readonly open: (funded: ReadonlyMap<Address, bigint>) => Promise<RemoteEntry>
  /** Writes the cache and ends the connection. */
  readonly close: () => Promise<void>
}

/** Settings of a fork besides the options. */
export interface ForkEnvironment {
  readonly host: Host
  /** Called with a sentence for the user when the cache cannot be used. */
  readonly onFault: (sentence: string) => void
}

/** Opens the fork that the options name; undefined without one. @throws NodeError 'remoteFailed', 'invalidOption' */
export async function openFork(options: Options, { host, onFault }: ForkEnvironment): Promise<Fork | undefined> {
  const settings = remoteSettingsOf(options)
  if (settings === undefined) return undefined
  const client = new RemoteClient(settings, host)
  try {
    const { forkCache, noForkCache } = options
    const isCached = forkCache !== false && noForkCache !== true
    const cache = isCached ? new ForkCache(forkCache ?? defaultCacheFolder({}), { host, onFault }) : undefined
    const block = await findForkBlock(options, { client, settings, host, record: cache?.remote(settings.url) })
    const store = (await cache?.openStore(block)) ?? memoryFactStore()
    const network = forkedNetwork(options, block)
    const remote = new Remote(client, store)
    remote.remember({ method: 'eth_getBlockByNumber', params: block.params }, block.json)
    return { client, block, network, open: opener(remote, network, block), close: closer(client, store) }
  } catch (error) {
    client.close()
    throw error
  }
}

const closer =
  (client: RemoteClient, store: FactStore): Fork['close'] =>
  async () => {
    client.close()
    await store.close()
  }

const opener =
  (remote: Remote, network: Network, { blockNumber: last }: ForkBlock): Fork['open'] =>
  async (funded) => {
    const existing = new Set(consensusOf(network).precompileAccounts)
    const blocks = new RemoteBlocks({ remote, network, last, changes: { funded, existing } })
    await blocks.loadEnds()
    return blocks.head
  }

/** Presets of networks whose chain ids are known. Other chains follow the rules of Ethereum. */
const PRESETS: ReadonlyMap<bigint, string> = new Map([
  [30n, 'network-30'],
  [31n, 'network-31'],
  [33n, 'network-33'],
])

/** The network that the options name, or that of the chain id. Its values are those of the remote, unless an option sets them. */
function forkedNetwork(options: Options, { chainId, blockNumber, timestamp, gasLimit, minimumGasPrice }: ForkBlock): Network {
  const network = resolveNetwork({
    ...options,
    network: options.network ?? PRESETS.get(chainId) ?? 'ethereum',
    chainId: options.chainId ?? chainId,
    hardfork: options.hardfork ?? hardforkAt(chainId, blockNumber + 1n, timestamp),
    noPredeploys: true,
  })
  return {
    ...network,
    blockGasLimit: options.blockGasLimit ?? gasLimit,
    callGasCap: larger(network.callGasCap, gasLimit),
    estimateGasCap: larger(network.estimateGasCap, gasLimit),
    minimumGasPriceTarget: options.minimumGasPrice ?? minimumGasPrice ?? network.minimumGasPriceTarget,
  }
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)
