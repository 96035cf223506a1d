/** Opens a fork: finds the block that the chain continues, and the network whose rules it follows. */

import type * as z from 'zod'
import { ZERO_ADDRESS, toQuantity } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import type { Block } from '../chain/block.ts'
import type { RemoteEntry } from '../chain/remote-history.ts'
import type { Network } from '../config/network.ts'
import type { Options } from '../config/options.ts'
import { resolveNetwork } from '../config/resolve-network.ts'
import { consensusOf } from '../consensus/consensus-of.ts'
import { FEE_CONTRACT } from '../evm/precompiles/network-33/fee-contract.ts'
import { remoteBlock } from '../schema/remote.ts'
import type { ForkedBlock } from './cached-forks.ts'
import type { FoundBlock } from './fork-block.ts'
import { chainName, hardforkAt } from './known-chains.ts'
import type { OpenForks, RemoteLease } from './open-forks.ts'
import { RemoteBlocks } from './remote-blocks.ts'
import { readRemote } from './remote-json.ts'
import type { ForkPoint } from './remote-blocks.ts'
import { FIRST_DELAY_MS } from './retry-delay.ts'
import type { Question, Remote } from './remote.ts'

/** The remote chain that a chain continues. */
export interface Fork {
  /** The URL of the remote without its secrets. */
  readonly shownUrl: string
  /** The options by which the remote is found again. */
  readonly origin: Pick<Options, 'forkUrl' | 'forkHeaders'>
  /** The block that the chain continues. */
  readonly block: ForkedBlock
  /** Name of the remote chain, if it is known. */
  readonly chainName: string | undefined
  /** Number of blocks between that block and the head of the remote; absent if the remote was not asked. */
  readonly depth: bigint | undefined
  /** Longest delay before a request to the remote is repeated for the first time. */
  readonly retryBackoffMs: number
  /** Folder of the cache; absent without one. */
  readonly cacheFolder: string | undefined
  /** The network of the remote, with the options applied. */
  readonly network: Network
  /** The newest remote block of a chain with these rules. `funded` are balances in wei of accounts that the node funds. */
  readonly open: (network: Network, funded: ReadonlyMap<Address, bigint>) => Promise<RemoteEntry>
  /** The transaction after which the chain continues, and the next remote block, which has it; absent without one. */
  readonly replay: ForkReplay | undefined
  /** The same fork for another chain, which closes it on its own. */
  readonly share: () => Fork
  /** Ends the use of the remote. After the last one the cache is written and the connection is closed. */
  readonly close: () => Promise<void>
}

/** A transaction of the remote block after the fork. */
export interface ForkReplay {
  readonly hash: Hash
  readonly loadBlock: (network: Network) => Promise<Block>
}

/** Opens the fork that the options name. @throws NodeError 'remoteFailed', 'invalidOption' */
export async function openFork(forks: OpenForks, options: Options): Promise<Fork> {
  const lease = await forks.open(options)
  try {
    const { found, remote } = lease
    const network = forkedNetwork(options, found, await blockObject(remote, found))
    const { forkUrl, forkHeaders, forkTransaction: hash } = options
    const { cacheFolder } = forks
    const last = found.blockNumber + 1n
    const loadBlock = async (rules: Network): Promise<Block> =>
      (await openHead(remote, { network: rules, chainId: found.chainId, last, funded: new Map() })).block
    const replay = hash && { hash, loadBlock }
    return forkOf(lease, { origin: { forkUrl, forkHeaders }, network, cacheFolder, replay })
  } catch (error) {
    await lease.release()
    throw error
  }
}

function forkOf(
  lease: RemoteLease,
  facts: Pick<Fork, 'origin' | 'network' | 'cacheFolder' | 'replay'>,
): Fork {
  const { shownUrl, found, remote, share, release } = lease
  const { chainId, blockNumber, blockHash, depth } = found
  return {
    shownUrl,
    block: { chainId, blockNumber, blockHash },
    chainName: chainName(chainId),
    depth,
    retryBackoffMs: FIRST_DELAY_MS,
    ...facts,
    open: (rules, funded) => openHead(remote, { network: rules, chainId, last: blockNumber, funded }),
    share: () => forkOf(share(), facts),
    close: release,
  }
}

/** The head of a fork, with the balances of the accounts that the node funds. */
interface FundedHead extends Pick<ForkPoint, 'network' | 'chainId' | 'last'> {
  readonly funded: ReadonlyMap<Address, bigint>
}

async function openHead(
  remote: Remote,
  { network, chainId, last, funded }: FundedHead,
): Promise<RemoteEntry> {
  const existing = new Set(consensusOf(network).precompileAccounts)
  const changes = { funded, existing, hasOwnLayout: existing.size === 0 || isOwnNode(remote) }
  const blocks = new RemoteBlocks({ remote, network, chainId, last, changes })
  await blocks.loadEnds()
  return blocks.head
}

/** Presets of networks whose chain ids are known. Other chains follow network 33 if they have minimum gas prices, or Ethereum. */
const PRESETS: ReadonlyMap<bigint, string> = new Map([
  [30n, 'network-30'],
  [31n, 'network-31'],
  [32n, 'network-32'],
  [33n, 'network-33'],
])

const VERSION: Question = { method: 'web3_clientVersion', params: [] }

/** Whether the remote is a node of this program, whose precompiles keep their values in the same slots. */
function isOwnNode(remote: Remote): boolean {
  const version = remote.recall(VERSION)
  return typeof version === 'string' && /\bdev-node\b/.test(version)
}

type ForkedHead = z.output<typeof forkedHead>

/** The members of the forked block that determine the network. */
const forkedHead = remoteBlock.pick({
  timestamp: true,
  gasLimit: true,
  minimumGasPrice: true,
  transactions: true,
})

/** The block object of the forked block. The other answers that led to it are stored too. */
async function blockObject(
  remote: Remote,
  { blockNumber, blocks, version }: FoundBlock,
): Promise<ForkedHead> {
  for (const [number, json] of blocks) remote.remember(blockQuestion(number), json)
  if (version !== '') remote.remember(VERSION, version)
  return readRemote(forkedHead, await remote.ask(blockQuestion(blockNumber)), `block ${blockNumber}`)
}

const blockQuestion = (number: bigint): Question => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(number), true],
})

/** The network that the options name, or that of the chain id. Its values are those of the remote, unless an option sets them. */
function forkedNetwork(options: Options, { chainId, blockNumber }: ForkedBlock, block: ForkedHead): Network {
  const { timestamp, gasLimit, minimumGasPrice } = block
  const network = resolveNetwork({
    ...options,
    network:
      options.network ?? PRESETS.get(chainId) ?? (minimumGasPrice === undefined ? 'ethereum' : 'network-33'),
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

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Whether the block closes with the transaction that pays the fees out: then those of the fork do so too. */
function endsWithSystemTransaction({ transactions }: ForkedHead): boolean {
  const last = transactions.at(-1)
  return last?.from === ZERO_ADDRESS && last.to === FEE_CONTRACT
}
