/**
 * Mines several blocks in one call. Empty blocks that differ in time only are reserved and made on demand: suites that let a
 * voting period of thousands of blocks pass read few of them.
 */

import { NodeError } from '../base/errors.ts'
import type { Lock } from '../base/lock.ts'
import { nextExcessBlobGas } from '../chain/blob-fields.ts'
import { isEmpty, proveWork } from '../chain/block.ts'
import type { Block } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import { nextBaseFee } from '../chain/fees.ts'
import { ZERO_HASH } from '../chain/header.ts'
import { Leap } from '../chain/leap.ts'
import { networkBlobSchedule } from '../config/blob-schedule.ts'
import type { Network } from '../config/network.ts'
import { requestBacklog } from '../evm/execution-requests.ts'
import { RING_SIZE, recordBlock, systemContracts } from '../evm/system-contracts.ts'
import type { SystemContract } from '../evm/system-contracts.ts'
import type { StateRoot } from '../state/state-root.ts'
import { State } from '../state/state.ts'
import { assemble } from './assemble.ts'
import type { BlockSettings } from './block-settings.ts'
import type { MinerParts } from './miner-parts.ts'
import { leastTimestamp, planNextBlock } from './next-block.ts'

/** What a run of blocks is made with. */
export interface BlockRunParts extends Omit<MinerParts, 'instance' | 'host' | 'mode'> {
  readonly settings: BlockSettings
  /** Makes one block of what waits. */
  readonly mine: () => Block
  /** The lock that the caller holds. */
  readonly lock: Lock
  /** Whether the node was closed. */
  readonly isClosed: () => boolean
}

/** Blocks made in one go while other requests wait: ten to twenty milliseconds' work. */
const BLOCKS_PER_TURN = 256n

/** Maximum of blocks that are made one by one: other writes wait until all are made. */
const MAX_MINED = 100_000n

/** Maximum of blocks that are reserved to be made one by one: a request that reads the last waits for all of them. */
const MAX_RESERVED = 10_000n

/** Blocks made one by one at the end of many, as far back as contracts see the hashes of blocks. */
const MADE_AT_THE_END = 256n

/** Most blocks made one by one at the beginning of many, until fees, gas limit and difficulty do not move any more. */
const MADE_AT_THE_BEGINNING = 512n

/**
 * Mines blocks whose times are `gapSeconds` apart where given, but at least as far as blocks must be. Reads are answered
 * meanwhile, and see the blocks that are made so far.
 * @throws NodeError 'limitExceeded' for more blocks than can be made one by one, where they have to be;
 * 'miningRefused' when the node is closed meanwhile
 */
export async function mineRun(parts: BlockRunParts, count: bigint, gapSeconds?: bigint): Promise<void> {
  checkCount(parts, count)
  for (let mined = 0n; mined < count; mined++) {
    const left = count - mined
    // What was set for the next block, and what waits in the pool, is for the first.
    if (mined > 0n && isPredictable(parts) && (left <= MAX_RESERVED || canLeap(parts)))
      return reserve(parts, left, gapSeconds)
    if (mined > 0n && gapSeconds !== undefined) {
      const { timestamp } = parts.chain.head.block.header
      parts.settings.setNext({ timestamp: timestamp + stepOf(parts, gapSeconds) })
    }
    parts.mine()
    const made = mined + 1n
    if (made % BLOCKS_PER_TURN > 0n || made === count) continue
    // Sockets also send notifications to subscribers meanwhile.
    await parts.lock.yieldToReads()
    if (parts.isClosed())
      throw new NodeError('miningRefused', `the node was closed after ${made} of ${count} blocks`)
  }
}

function checkCount(parts: BlockRunParts, count: bigint): void {
  if (count <= MAX_MINED || (isUnheard(parts) && canLeap(parts) && backlogOf(parts) <= MAX_MINED)) return
  throw new NodeError(
    'limitExceeded',
    `cannot mine ${count} blocks: at most ${MAX_MINED} while a filter or a subscription hears of every block, a block stands beside the chain, a system transaction closes each, or execution requests do not come to an end`,
  )
}

/** Blocks in which the protocol's contracts still have execution requests to handle (EIP-7685). */
const backlogOf = ({ chain, network }: BlockRunParts): number =>
  requestBacklog(network, new State(chain.head.state))

/** Whether the next blocks are empty and change nothing, and no filter or subscription waits for them. */
function isPredictable(parts: BlockRunParts): boolean {
  const { chain, mempool, network } = parts
  // What waits and was not taken will not be, as long as no fee moves.
  const isQuiet = mempool.size === 0 || (isEmpty(chain.head.block) && isAtRest(chain.head, network))
  return isQuiet && isUnheard(parts) && backlogOf(parts) === 0
}

function isUnheard({ chain, network }: BlockRunParts): boolean {
  // Nothing but a system transaction logs something in blocks that are reserved.
  const isLogMissed = network.systemTransaction && chain.isWatchedFor('logs')
  return [...chain.siblings].length === 0 && !chain.isWatchedFor('blocks') && !isLogMissed
}

/** Whether nothing at all is in empty blocks. */
const canLeap = ({ network }: BlockRunParts): boolean => !network.systemTransaction

/** Whether what moves from block to block is as it was in the parent; the base fee, which may have been set, as it will be. */
function isAtRest({ block: { header }, parent }: ChainEntry, network: Network): boolean {
  const before = parent?.block.header
  return (
    before !== undefined &&
    header.baseFeePerGas === nextBaseFee(header) &&
    header.excessBlobGas === nextExcessBlobGas(header, networkBlobSchedule(network)) &&
    header.gasLimit === before.gasLimit &&
    header.minimumGasPrice === before.minimumGasPrice &&
    header.difficulty === before.difficulty
  )
}

function reserve(parts: BlockRunParts, count: bigint, gapSeconds: bigint | undefined): void {
  const { chain, clock, settings, network } = parts
  const { number, timestamp } = chain.head.block.header
  const step = stepOf(parts, gapSeconds ?? settings.value.later.gapSeconds ?? 0n)
  const make = emptyBlocks(parts, step)
  const plan = { first: number, last: number + count, step, network, contracts: systemContracts(network) }
  chain.reserve(Number(count), canLeap(parts) ? leaping(make, plan) : make)
  const reached = timestamp + count * step
  if (gapSeconds === undefined) clock.reach(reached)
  else clock.set(reached)
}

/** The numbers of the blocks before and at the end, the seconds between them, and who is told of every block. */
interface LeapPlan {
  readonly first: bigint
  readonly last: bigint
  readonly step: bigint
  readonly contracts: readonly SystemContract[]
  readonly network: Network
}

/** Makes blocks where they are many, of those in the middle the last. */
function leaping(
  make: (parent: ChainEntry) => ChainEntry,
  { first, last, step, contracts, network }: LeapPlan,
): (parent: ChainEntry) => ChainEntry {
  return (parent) => {
    const { number, timestamp } = parent.block.header
    const leapt = last - MADE_AT_THE_END - number
    const isBegun = number - first >= MADE_AT_THE_BEGINNING || (number > first && isAtRest(parent, network))
    if (leapt <= MADE_AT_THE_END || !isBegun) return make(parent)
    const leap = new Leap(parent, { number: number + leapt, timestamp: timestamp + leapt * step })
    const state = stateAfter(leap, parent.state, contracts)
    return { ...leap.end, state }
  }
}

/** The state that the blocks after a leap go on from: with what contracts of the protocol would know of it. */
function stateAfter(leap: Leap, before: StateRoot, contracts: readonly SystemContract[]): StateRoot {
  if (contracts.length === 0) return before
  const state = new State(before)
  for (const { header } of leap.newest(RING_SIZE)) {
    recordBlock(state, contracts, { ...header, parentBeaconBlockRoot: ZERO_HASH })
  }
  return state.seal()
}

/** Makes empty blocks by the settings of this moment, whatever is set later. */
function emptyBlocks(parts: BlockRunParts, step: bigint): (parent: ChainEntry) => ChainEntry {
  const { chain, engine, network, settings } = parts
  const { later } = settings.value
  const state = new State(chain.head.state)
  const hashAt = (number: bigint) => chain.at(number)?.block.hash
  return (parent) => {
    const next = { timestamp: parent.block.header.timestamp + step }
    const context = planNextBlock(parent, { ...parts, settings: { next, later }, uncleCount: 0, hashAt })
    state.reset(parent.state)
    const plan = { parent, context, state, uncles: [], candidates: [], finish: proveWork }
    const made = assemble(engine, network, plan)
    return { block: made.block, state: made.state, parent }
  }
}

/** Seconds between two blocks: those wanted, or the least there can be. */
function stepOf({ chain, allowSameTimestamp }: BlockRunParts, wanted: bigint): bigint {
  const { header } = chain.head.block
  const least = leastTimestamp(header, allowSameTimestamp) - header.timestamp
  return wanted > least ? wanted : least
}
