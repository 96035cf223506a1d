/** Finds the block where a fork continues, and the network whose rules it follows. */

import * as z from 'zod'
import type { NodeError } from '../base/errors.ts'
import { toQuantity, ZERO_ADDRESS } from '../base/hex.ts'
import { once } from '../base/once.ts'
import { nextGasLimit } from '../chain/fees.ts'
import type { NetworkKind } from '../config/network-kind.ts'
import type { Options } from '../config/options.ts'
import { optional, quantity, quantity64 } from '../schema/wire.ts'
import type { Network } from '../config/network.ts'
import { larger, resolveNetwork } from '../config/resolve-network.ts'
import { FEE_CONTRACT } from '../evm/system-transaction.ts'
import { remoteBlock } from '../schema/remote.ts'
import type { ForkedBlock } from './cached-forks.ts'
import { recordedBlock, type RecordOf, type RemoteRecord } from './fork-cache.ts'
import { unsafeBlocks, hardforkAt } from './known-chains.ts'
import type { RemoteClient } from './remote-client.ts'
import { OtherChainError, UnansweredError, remoteFailed } from './remote-error.ts'
import { readRemote } from './question.ts'
import type { RemoteSet } from './remote-set.ts'

/** The block that a fork continues, and the remote's answers that led to it. */
export interface FoundBlock extends ForkedBlock {
  /** Blocks by number, as JSON; empty if the remote was not asked. */
  readonly blocks: ReadonlyMap<bigint, unknown>
  /** Answer to web3_clientVersion; empty if the remote was not asked. */
  readonly version: string
  /** Distance to the remote's head in blocks; absent if the remote was not asked. */
  readonly depth: bigint | undefined
}

/**
 * Finds the block that the options name: by default the newest that can no longer be reorganised. If the remote does not answer,
 * the block must be in the cache. @throws NodeError 'remoteFailed', 'invalidOption'
 */
export async function findForkBlock(
  options: Options,
  remotes: RemoteSet,
  recordOf: RecordOf,
): Promise<FoundBlock> {
  const { forkBlockNumber: wanted } = options
  const cached =
    typeof wanted === 'bigint' && wanted >= 0n ? await recordedBlock(options, wanted, recordOf) : undefined
  const search = (client: RemoteClient, url: string): Promise<FoundBlock> =>
    askForBlock(options, client, recordOf(url))
  if (cached === undefined) return remotes.find((client, url) => withGenesis(search(client, url), client))
  try {
    // If the block is in the cache, an unavailable remote is not a fault.
    return await remotes.find(search, 0)
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
    return unasked(cached)
  }
}

/** A cached block; the remote was not asked. */
export const unasked = (block: ForkedBlock): FoundBlock => {
  return { ...block, blocks: new Map(), version: '', depth: undefined }
}

/** Adds block 0, which every fork needs, so that the first batch asks for it. If this fails, a later request reports it. */
async function withGenesis(search: Promise<FoundBlock>, client: RemoteClient): Promise<FoundBlock> {
  const asked = askForNumber(client, toQuantity(0n)).catch(() => null)
  const block = await search
  const genesis = await asked
  if (!remoteBlock.safeParse(genesis).success) return block
  return { ...block, blocks: new Map([...block.blocks, [0n, genesis]]) }
}

const askForNumber = (client: RemoteClient, param: string): Promise<unknown> =>
  client.request('eth_getBlockByNumber', [param, true])

async function askForBlock(
  options: Options,
  client: RemoteClient,
  record: RemoteRecord | undefined,
): Promise<FoundBlock> {
  const early = earlyParam(options)
  const earlyBlock = early === undefined ? undefined : askForNumber(client, early)
  // The block's error is thrown below, after errors of the chain.
  earlyBlock?.catch(() => undefined)
  const [id, head, version] = await Promise.all([
    client.request('eth_chainId', []),
    client.request('eth_blockNumber', []),
    client.request('web3_clientVersion', []).catch(() => ''),
  ])
  const chainId = readRemote(quantity, id, 'chain id')
  checkChainId(options, chainId, client)
  const height = readRemote(quantity64, head, 'block number')
  const safe = safeHeight(height, chainId, version)
  const param = await blockParam(options, { height, safe }, client)
  const json = await (param === early && earlyBlock ? earlyBlock : askForNumber(client, param))
  if (json === null) throw missing(client, param, height)
  const block = readRemote(remoteBlock, json, 'block')
  const forked = { chainId, blockNumber: block.number, blockHash: block.hash }
  await record?.rememberChainId(chainId)
  if (forked.blockNumber <= safe) await record?.rememberBlockHash(forked)
  const blocks = new Map([[forked.blockNumber, json]])
  const depth = height - forked.blockNumber
  return { ...forked, blocks, version: typeof version === 'string' ? version : '', depth }
}

/** The block param, if it is known before the head. */
function earlyParam({ forkBlockNumber: wanted, forkTransaction }: Options): string | undefined {
  if (wanted === undefined || forkTransaction !== undefined) return undefined
  if (typeof wanted !== 'bigint') return wanted
  return wanted < 0n ? undefined : toQuantity(wanted)
}

function checkChainId({ forkChainId }: Options, chainId: bigint, { shownUrl }: RemoteClient): void {
  if (forkChainId === undefined || forkChainId === chainId) return
  throw new OtherChainError(
    `the remote ${shownUrl} has chain id ${chainId}, not ${forkChainId} (--fork-chain-id)`,
  )
}

/** Development nodes, whose blocks are final at once. */
const DEVELOPMENT_NODE = /anvil|hardhat|ganache|dev-?node/i

/** Number of the newest block that will not be reorganised. */
function safeHeight(height: bigint, chainId: bigint, version: unknown): bigint {
  if (typeof version === 'string' && DEVELOPMENT_NODE.test(version)) return height
  const unsafe = unsafeBlocks(chainId)
  return height > unsafe ? height - unsafe : 0n
}

async function blockParam(
  { forkBlockNumber: wanted, forkTransaction }: Options,
  { height, safe }: { readonly height: bigint; readonly safe: bigint },
  client: RemoteClient,
): Promise<string> {
  if (forkTransaction !== undefined)
    return toQuantity((await blockOfTransaction(forkTransaction, client)) - 1n)
  if (wanted === undefined) return toQuantity(safe)
  if (typeof wanted !== 'bigint') return wanted
  const number = wanted < 0n ? height + wanted : wanted
  if (number < 0n || number > height) throw missing(client, String(wanted), height)
  return toQuantity(number)
}

async function blockOfTransaction(transaction: string, client: RemoteClient): Promise<bigint> {
  const json = await client.request('eth_getTransactionByHash', [transaction])
  const mined = z.object({ blockNumber: optional(quantity64) }).nullable()
  const number = readRemote(mined, json, 'transaction')?.blockNumber
  if (number !== undefined) return number
  throw remoteFailed(`the remote ${client.shownUrl} has no mined transaction ${transaction}`, 'DN-BLOCK')
}

const missing = ({ shownUrl }: RemoteClient, block: string, height: bigint): NodeError =>
  remoteFailed(`the remote ${shownUrl} has no block ${block}: its newest block is ${height}`, 'DN-BLOCK')

/** The members of the forked block that determine the network. */
export const forkedHead = once(() =>
  remoteBlock.pick({ timestamp: true, gasLimit: true, minimumGasPrice: true, transactions: true }),
)

type ForkedHead = z.output<ReturnType<typeof forkedHead>>

/** The network that the options name, or the one with this chain id. Values come from the remote unless an option sets them. */
export function forkedNetwork(
  options: Options,
  { chainId, blockNumber }: ForkedBlock,
  { block, genesis }: { readonly block: ForkedHead; readonly genesis: unknown },
  kinds: readonly NetworkKind[],
): Network {
  const { timestamp, gasLimit, minimumGasPrice } = block
  const [preset = 'ethereum'] = kinds.flatMap((kind) => kind.presetOf?.({ chainId, minimumGasPrice }) ?? [])
  const forked = {
    ...options,
    network: options.network ?? preset,
    chainId: options.chainId ?? chainId,
    hardfork: options.hardfork ?? hardforkAt(chainId, blockNumber + 1n, timestamp),
    noPredeploys: true,
  }
  const network = resolveNetwork(forked, kinds)
  const isMoving = gasLimit === movedGasLimit(network, genesis, blockNumber)
  return {
    ...network,
    blockGasLimit: options.blockGasLimit ?? (isMoving || gasLimit === 0n ? network.blockGasLimit : gasLimit),
    callGasCap: larger(network.callGasCap, gasLimit),
    estimateGasCap: larger(network.estimateGasCap, gasLimit),
    systemTransaction:
      network.systemTransaction || (network.hasFeeContract === true && endsWithSystemTransaction(block)),
    // Without a price a transaction gets the price of the remote's blocks, which users cannot know.
    defaultGasPrice: undefined,
    minimumGasPriceTarget: options.minimumGasPrice ?? minimumGasPrice ?? network.minimumGasPriceTarget,
  }
}

/**
 * A block's gas limit if all blocks since the genesis moved towards the network's limit. Absent if the genesis has another gas
 * limit than the network, for example because of an option of the remote.
 */
function movedGasLimit(network: Network, genesis: unknown, blockNumber: bigint): bigint | undefined {
  let { gasLimit } = network.genesis
  if (remoteBlock.pick({ gasLimit: true }).safeParse(genesis).data?.gasLimit !== gasLimit) return undefined
  for (let number = 0n; number < blockNumber && gasLimit !== network.blockGasLimit; number++)
    gasLimit = nextGasLimit({ gasLimit }, network)
  return gasLimit
}

/** Whether the block ends with the transaction that pays out the fees. Then the fork's blocks do so too. */
function endsWithSystemTransaction({ transactions }: ForkedHead): boolean {
  const last = transactions.at(-1)
  return last?.from === ZERO_ADDRESS && last.to === FEE_CONTRACT
}
