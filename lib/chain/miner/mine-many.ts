/**
 * Mines several blocks in one call. If all remaining blocks of a long run will be empty, they are made from their headers alone: at
 * once if a filter or a subscription needs every block, otherwise before the next request. All but the last leave the state as it
 * is. Before the last one, which is mined in the usual way, the system contracts record the blocks of the run (EIP-2935, EIP-4788).
 */

import { NodeError } from '../../base/errors.ts'
import { runAtOnce, type Routine } from '../../base/routine.ts'
import { activeEips } from '../../config/active-eips.ts'
import type { Network } from '../../config/network.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import {
  requestBacklog,
  RING_SIZE,
  systemContracts,
  withRecords,
  type NewBlock,
} from '../../evm/system-contracts.ts'
import type { Header } from '../../networks/consensus/consensus.ts'
import { State } from '../../state/state.ts'
import { BlockReservation } from '../block-reservation.ts'
import { isEmpty, sealBlockContent, type Block } from '../block.ts'
import { ChainEntry } from '../chain-entry.ts'
import { nextExcessBlobGas, nextBaseFee } from '../fees.ts'
import { dropOutdated } from '../mempool/pending.ts'
import { assemble } from './assemble.ts'
import type { MinerWithSettings } from './miner-dependencies.ts'
import { minTimestamp, nextBlockContext } from './next-block.ts'
import { sealBlock } from './seal.ts'

/** Services and callbacks for a run of blocks. The caller holds the lock. */
interface BlockRunDependencies extends MinerWithSettings {
  /** Makes one block of the pooled transactions. */
  readonly mine: () => Routine<Block>
  /** Postpones empty blocks until the next request. */
  readonly postpone: (run: EmptyBlockRun) => void
  readonly isClosed: () => boolean
}

/** Blocks between two pauses for reads: about ten milliseconds' work. */
const BLOCKS_PER_TURN = 256n

/** Maximum number of blocks that one call mines one by one, because other writes wait meanwhile. */
const MAX_MINED_ONE_BY_ONE = 100_000n

/** If this many blocks or fewer are left, they are mined one by one: a shortcut would save a few milliseconds only. */
const SHORTCUT_THRESHOLD = 16n

/**
 * Mines blocks. `gapSeconds` is the time between two blocks, but at least the minimum of the network. Reads run between
 * the blocks, and see the blocks that are mined so far.
 * @throws NodeError 'limitExceeded' when the blocks must be mined one by one and are too many; 'miningRefused' when the
 * node is closed meanwhile
 */
export async function mineMany(
  dependencies: BlockRunDependencies,
  count: bigint,
  gapSeconds?: bigint,
): Promise<void> {
  checkCount(dependencies, count)
  const { chain, instance, isClosed } = dependencies
  const { height } = chain
  for (const step of mineBlocks(dependencies, count, gapSeconds)) {
    if (typeof step !== 'bigint') {
      await instance.lock.admitReadsDuring(step)
      continue
    }
    const made = step - height
    if (made % BLOCKS_PER_TURN > 0n || made === count) continue
    // Sockets also send notifications to subscribers meanwhile.
    await instance.lock.yieldToReads()
    if (isClosed())
      throw new NodeError('miningRefused', `the node was closed after ${made} of ${count} blocks`)
  }
}

function checkCount(dependencies: BlockRunDependencies, count: bigint): void {
  if (count <= MAX_MINED_ONE_BY_ONE) return
  const canReserve = !dependencies.chain.needsEveryBlock && canNextBlocksBeEmpty(dependencies)
  if (canReserve && backlogOf(dependencies) <= MAX_MINED_ONE_BY_ONE) return
  throw new NodeError(
    'limitExceeded',
    `cannot mine ${count} blocks: at most ${MAX_MINED_ONE_BY_ONE} while a block filter or a newHeads subscription is open, while there are side blocks, on a network with a system transaction or an access list in every block, or while execution requests (EIP-7685) are pending`,
  )
}

/** Mines blocks one by one until the rest will be empty, and makes those faster. Yields block numbers, and promises of data. */
function* mineBlocks(
  dependencies: BlockRunDependencies,
  count: bigint,
  gapSeconds: bigint | undefined,
): IterableIterator<bigint | Promise<void>> {
  for (let left = count; left > 0n; left--) {
    const isFirst = left === count
    // The first block takes the settings of the next block and the pooled transactions, so it is mined in the usual way.
    if (!isFirst && left > SHORTCUT_THRESHOLD && isPredictable(dependencies)) {
      yield* makeOrPostponeEmptyBlocks(dependencies, left, gapSeconds)
      return
    }
    if (!isFirst && gapSeconds !== undefined) {
      const { timestamp } = dependencies.chain.head.block.header
      dependencies.settings.setNext({ timestamp: timestamp + effectiveGap(dependencies, gapSeconds) })
    }
    const { header } = yield* dependencies.mine()
    yield header.number
  }
}

/** Makes empty blocks if a listener needs each of them, else postpones them. Sets the clock to the last block. */
function* makeOrPostponeEmptyBlocks(
  dependencies: BlockRunDependencies,
  count: bigint,
  gapSeconds: bigint | undefined,
): IterableIterator<bigint> {
  const { chain, clock, settings, postpone } = dependencies
  const { timestamp } = chain.head.block.header
  const wanted = gapSeconds ?? settings.value.later.gapSeconds ?? 0n
  const run = { count, gapSeconds: effectiveGap(dependencies, wanted) }
  const moveClock = (seconds: bigint): void =>
    gapSeconds === undefined ? clock.advanceTo(seconds) : clock.set(seconds)
  if (!chain.needsEveryBlock) {
    postpone(run)
    moveClock(timestamp + count * run.gapSeconds)
    return
  }
  for (const { block } of makeEmptyBlocks(dependencies, run)) {
    moveClock(block.header.timestamp)
    yield block.header.number
  }
}

/** Number of next blocks that will not be empty, because of execution requests (EIP-7685) or the follower. */
const backlogOf = ({ chain, network, follower }: BlockRunDependencies): number =>
  requestBacklog(network, new State(chain.head.state)) + (follower?.blocksToNext ?? 0)

/** Whether the next blocks will be empty and change nothing. */
function isPredictable(dependencies: BlockRunDependencies): boolean {
  const { chain, mempool, network } = dependencies
  // The last block took nothing from the pool. The next one will not either if fees and gas limit stay the same.
  const isQuiet = mempool.size === 0 || (isEmpty(chain.head.block) && isSteady(chain.head, network))
  return isQuiet && canNextBlocksBeEmpty(dependencies) && backlogOf(dependencies) === 0
}

/** Whether the next blocks will have neither uncles nor a system transaction nor an access list, which no two blocks share. */
const canNextBlocksBeEmpty = ({ chain, network }: BlockRunDependencies): boolean =>
  !network.systemTransaction &&
  !activeEips(network).headerFields.has('blockAccessListHash') &&
  [...chain.sideBlocks].length === 0

/** Seconds between two blocks: the wanted gap, but at least the minimum of the network. */
function effectiveGap({ chain, allowSameTimestamp }: BlockRunDependencies, wanted: bigint): bigint {
  const { header } = chain.head.block
  const minimum = minTimestamp(header, allowSameTimestamp) - header.timestamp
  return wanted > minimum ? wanted : minimum
}

/** Empty blocks to be made after the head. */
export interface EmptyBlockRun {
  readonly count: bigint
  /** Seconds from block to block. */
  readonly gapSeconds: bigint
}

/** Maximum number of blocks before the first reserved one, in which fees, gas limit and difficulty settle. */
const MAX_SETTLING = 512

/** Makes the blocks one after another, and yields each after it became the head. */
function* makeEmptyBlocks(dependencies: MinerWithSettings, run: EmptyBlockRun): IterableIterator<ChainEntry> {
  const { addNext, addLast } = emptyBlocks(dependencies, run)
  for (let left = run.count; left > 1n; left--) yield addNext()
  yield addLast()
}

/** Makes the first blocks, in which fees still move, and the last one. The blocks between them are reserved. */
export function reserveEmptyBlocks(dependencies: MinerWithSettings, run: EmptyBlockRun): void {
  const { chain, network } = dependencies
  const { addNext, addLast, newBlocks } = emptyBlocks(dependencies, run)
  const end = chain.height + run.count - 1n
  do addNext()
  while (!isSteady(chain.head, network) && newBlocks.length < MAX_SETTLING && chain.height < end)
  const { number, timestamp } = chain.head.block.header
  if (number < end) {
    const last = { number: end, timestamp: timestamp + (end - number) * run.gapSeconds }
    const reservation = new BlockReservation(chain.head, last)
    // This also makes and keeps the last reserved block.
    if (systemContracts(network).length > 0)
      for (const header of reservation.newestHeaders(RING_SIZE)) newBlocks.push(recordOf(header))
    chain.add(reservation.makeLast())
  }
  addLast()
}

/** Makes the empty blocks before a chain that begins at a number, a second apart. They do not change the base fee of the next block. */
export function beginAt(number: bigint, dependencies: MinerWithSettings): void {
  const { baseFeePerGas } = dependencies.chain.head.block.header
  const run = { count: number, gapSeconds: 1n }
  if (number > 1n) reserveEmptyBlocks(dependencies, run)
  else emptyBlocks(dependencies, run).addLast()
  if (baseFeePerGas !== undefined) dependencies.settings.setNext({ baseFeePerGas })
}

/** Whether the next empty block will have the same fees, gas limit and difficulty. Base fee and excess blob gas are compared with
 * those of the child, because a request may have set those of the block itself; the rest is compared with the parent. */
function isSteady({ block: { header }, parent }: ChainEntry, network: Network): boolean {
  const before = parent?.block.header
  return (
    before !== undefined &&
    header.baseFeePerGas === nextBaseFee(header) &&
    header.excessBlobGas === nextExcessBlobGas(header, activeEips(network).blobs) &&
    header.gasLimit === before.gasLimit &&
    header.minimumGasPrice === before.minimumGasPrice &&
    header.difficulty === before.difficulty
  )
}

/** What the system contracts record of a block. The blocks of a run have no beacon root. */
const recordOf = ({ number, timestamp, parentHash }: Header): NewBlock => ({ number, timestamp, parentHash })

function emptyBlocks(dependencies: MinerWithSettings, { gapSeconds }: EmptyBlockRun) {
  const { chain, engine, network } = dependencies
  const { state } = chain.head
  const body = { uncles: [], state: new State(state) }
  const newBlocks: NewBlock[] = []
  const contextAfter = (parent: ChainEntry): BlockContext =>
    nextBlockContext(parent, dependencies, {
      next: { timestamp: parent.block.header.timestamp + gapSeconds },
    })
  const add = (entry: ChainEntry): ChainEntry => {
    chain.add(entry)
    return entry
  }
  /** Adds a block that leaves the state as it is and has no proof of work. */
  const addNext = (): ChainEntry => {
    const parent = chain.head
    const context = contextAfter(parent)
    const consensusFields = network.kind.consensus.prepare(parent.block.header, body)
    const block = sealBlock(network, { parent, context, state, receipts: [], consensusFields })
    newBlocks.push(recordOf(block.header))
    return add(new ChainEntry({ block, state, parent }))
  }
  /** Mines the last block of the run, after the system contracts recorded the blocks with the new headers. */
  const addLast = (): ChainEntry => {
    const parent = chain.head
    const edited = new State(
      withRecords(parent.state, systemContracts(network), newBlocks.slice(-Number(RING_SIZE))),
    )
    const context = contextAfter(parent)
    const plan = { parent, context, state: edited, uncles: [], candidates: [], finish: sealBlockContent }
    // The block reads only what the block before the run has read, so nothing has to be loaded.
    const last = add(runAtOnce(assemble(engine, network, plan)).entry)
    dropOutdated(dependencies)
    return last
  }
  return { addNext, addLast, newBlocks }
}
