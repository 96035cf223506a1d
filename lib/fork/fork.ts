/** Opens a fork: finds the block that the chain continues, and the network whose rules it follows. */

import { ZERO_ADDRESS, toQuantity } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { Emitter } from '../base/events.ts'
import type { Host } from '../base/host.ts'
import { present } from '../base/invariant.ts'
import { ADDRESS, QUANTITY, QUANTITY_64, RemoteObject } from '../base/remote-object.ts'
import type { RemoteEntry } from '../chain/remote-history.ts'
import type { Network } from '../config/network.ts'
import type { Options } from '../config/options.ts'
import { resolveNetwork } from '../config/resolve-network.ts'
import { consensusOf } from '../consensus/consensus-of.ts'
import { FEE_CONTRACT } from '../evm/precompiles/network-33/fee-contract.ts'
import { defaultCacheFolder } from './cache-folder.ts'
import type { ForkedBlock } from './cached-forks.ts'
import { memoryFactStore } from './fact-store.ts'
import type { FactStore } from './fact-store.ts'
import { ForkCache } from './fork-cache.ts'
import type { ForkCacheOptions } from './fork-cache.ts'
import { findForkBlock } from './fork-block.ts'
import type { FoundBlock } from './fork-block.ts'
import { hardforkAt } from './known-chains.ts'
import { RemoteBlocks } from './remote-blocks.ts'
import { RemoteClient } from './remote-client.ts'
import { remoteSettingsOf } from './remote-settings.ts'
import { Remote } from './remote.ts'
import type { Question } from './remote.ts'

/** The remote chain that a node continues. */
export interface Fork {
  readonly client: RemoteClient
  /** The block that the chain continues. */
  readonly block: ForkedBlock
  /** The network of the remote, with the options applied. */
  readonly network: Network
  /** The newest remote block of the chain. `funded` are balances in wei of accounts that the node funds. */
  readonly open: (funded: ReadonlyMap<Address, bigint>) => Promise<RemoteEntry>
  /** Emitted with a sentence for the user when the cache cannot be used. */
  readonly faults: Emitter<string>
  /** Such sentences from before the fork was open. */
  readonly earlyFaults: readonly string[]
  /** Writes the cache and ends the connection. */
  readonly close: () => Promise<void>
}

/** Opens the fork that the options name. @throws NodeError 'remoteFailed', 'invalidOption' */
export async function openFork(options: Options, host: Host): Promise<Fork> {
  const settings = present(remoteSettingsOf(options), 'URL of a fork')
  const client = new RemoteClient(settings, host)
  const faults = new Emitter<string>()
  const earlyFaults: string[] = []
  const stopCollecting = faults.on((sentence) => earlyFaults.push(sentence))
  try {
    const cache = cacheOf(options, { host, onFault: (sentence) => faults.emit(sentence) })
    const record = cache?.remote(settings.url)
    const found = await findForkBlock(options, { client, settings, host, record })
    const store = (await cache?.openStore(found)) ?? memoryFactStore()
    const remote = new Remote(client, store, found.version)
    const network = forkedNetwork(options, found, await blockObject(remote, found))
    const open = opener(remote, network, {
      last: found.blockNumber,
      hasOwnLayout: isOwnNode(remote, found),
    })
    stopCollecting()
    return { client, block: found, network, open, faults, earlyFaults, close: closer(client, store) }
  } catch (error) {
    client.close()
    throw error
  }
}

/** The cache on disk; undefined if the options turn it off. */
function cacheOf({ forkCache, noForkCache }: Options, options: ForkCacheOptions): ForkCache | undefined {
  if (forkCache === false || noForkCache === true) return undefined
  return new ForkCache(forkCache ?? defaultCacheFolder({}), options)
}

const closer =
  (client: RemoteClient, store: FactStore): Fork['close'] =>
  async () => {
    client.close()
    await store.close()
  }

/** What the first read of a remote needs. */
interface OpenedAt {
  /** Number of the newest remote block of the chain. */
  readonly last: bigint
  readonly hasOwnLayout: boolean
}

const opener =
  (remote: Remote, network: Network, { last, hasOwnLayout }: OpenedAt): Fork['open'] =>
  async (funded) => {
    const existing = new Set(consensusOf(network).precompileAccounts)
    const blocks = new RemoteBlocks({ remote, network, last, changes: { funded, existing, hasOwnLayout } })
    await blocks.loadEnds()
    return blocks.head
  }

/** Presets of networks whose chain ids are known. Other chains follow the rules of Ethereum. */
const PRESETS: ReadonlyMap<bigint, string> = new Map([
  [30n, 'network-30'],
  [31n, 'network-31'],
  [32n, 'network-32'],
  [33n, 'network-33'],
])

/** Whether the remote is a node of this program, whose precompiles keep their values in the same slots. */
function isOwnNode(remote: Remote, { version }: FoundBlock): boolean {
  const question = { method: 'web3_clientVersion', params: [] }
  if (version !== '') remote.remember(question, version)
  const known = remote.recall(question)
  return typeof known === 'string' && /\bdev-node\b/.test(known)
}

/** The block object of the forked block, with which the blocks of the remote begin. */
async function blockObject(remote: Remote, { blockNumber, blocks }: FoundBlock): Promise<RemoteObject> {
  for (const [number, json] of blocks) remote.remember(blockQuestion(number), json)
  return RemoteObject.of(await remote.ask(blockQuestion(blockNumber)), `block ${blockNumber}`)
}

const blockQuestion = (number: bigint): Question => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(number), true],
})

/** The network that the options name, or that of the chain id. Its values are those of the remote, unless an option sets them. */
function forkedNetwork(
  options: Options,
  { chainId, blockNumber }: ForkedBlock,
  block: RemoteObject,
): Network {
  const timestamp = block.get('timestamp', QUANTITY_64)
  const gasLimit = block.get('gasLimit', QUANTITY_64)
  const minimumGasPrice = block.find('minimumGasPrice', QUANTITY)
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
    systemTransaction:
      network.systemTransaction || (network.hasFeeContract && endsWithSystemTransaction(block)),
    minimumGasPriceTarget: options.minimumGasPrice ?? minimumGasPrice ?? network.minimumGasPriceTarget,
  }
}

/** Whether the block closes with the transaction that pays the fees out: then those of the fork do so too. */
function endsWithSystemTransaction(block: RemoteObject): boolean {
  const last = block.objects('transactions').at(-1)
  return last?.find('from', ADDRESS) === ZERO_ADDRESS && last.find('to', ADDRESS) === FEE_CONTRACT
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)
