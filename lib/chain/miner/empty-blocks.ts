/**
 * Makes many empty blocks. All but the last leave the state as it is, so they are made from their headers alone. Before
 * the last one, which is mined in the usual way, the system contracts record the blocks of the run (EIP-2935, EIP-4788).
 */

import { runAtOnce } from '../../base/routine.ts'
import { nextExcessBlobGas, nextBaseFee } from '../fees.ts'
import { sealBlockContent } from '../block.ts'
import { BlockReservation } from '../block-reservation.ts'
import { ChainEntry } from '../chain-entry.ts'
import { ZERO_HASH } from '../header.ts'
import { consensusOf } from '../../networks/consensus/consensus-of.ts'
import type { Header } from '../../networks/consensus/header-fields.ts'
import { networkBlobSchedule } from '../../config/active-eips.ts'
import type { Network } from '../../config/network.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import { RING_SIZE, recordBlock, systemContracts } from '../../evm/system-contracts.ts'
import { State } from '../../state/state.ts'
import { assemble } from './assemble.ts'
import type { BlockSettings } from './block-settings.ts'
import type { MinerDependencies } from './miner-dependencies.ts'
import { nextBlockContext } from './next-block.ts'
import { sealBlock } from './seal.ts'

/** Empty blocks to be made after the head. */
export interface EmptyBlockRun {
  readonly count: bigint
  /** Seconds from block to block. */
  readonly gapSeconds: bigint
}

/** Services and settings for making empty blocks. */
export interface EmptyBlockDependencies extends Pick<
  MinerDependencies,
  'chain' | 'clock' | 'engine' | 'network' | 'allowSameTimestamp'
> {
  readonly settings: Pick<BlockSettings, 'value'>
}

/** Maximum number of blocks before the first reserved one, in which fees, gas limit and difficulty settle. */
const MAX_SETTLING = 512

/** Makes the blocks one after another, and yields each after it became the head. */
export function* makeEmptyBlocks(
  dependencies: EmptyBlockDependencies,
  run: EmptyBlockRun,
): IterableIterator<ChainEntry> {
  const { chain } = dependencies
  const makeNext = emptyBlockMaker(dependencies, run)
  const newHeaders: Header[] = []
  for (let left = run.count; left > 1n; left--) {
    const entry = makeNext(chain.head)
    newHeaders.push(entry.block.header)
    chain.add(entry)
    yield entry
  }
  const last = lastBlock(dependencies, run, newHeaders)
  chain.add(last)
  yield last
}

/** Makes the first blocks, in which fees still move, and the last one. The blocks between them are reserved. */
export function reserveEmptyBlocks(dependencies: EmptyBlockDependencies, run: EmptyBlockRun): void {
  const { chain, network } = dependencies
  const makeNext = emptyBlockMaker(dependencies, run)
  const newHeaders: Header[] = []
  const end = chain.height + run.count - 1n
  do {
    const entry = makeNext(chain.head)
    newHeaders.push(entry.block.header)
    chain.add(entry)
  } while (!isSteady(chain.head, network) && newHeaders.length < MAX_SETTLING && chain.height < end - 1n)
  const { head } = chain
  const { number, timestamp } = head.block.header
  const last = { number: end, timestamp: timestamp + (end - number) * run.gapSeconds }
  const reservation = new BlockReservation(head, last)
  // This also makes and keeps the last reserved block.
  const newest = systemContracts(network).length === 0 ? [] : reservation.newestHeaders(RING_SIZE)
  newHeaders.push(...newest)
  chain.add(reservation.makeLast())
  chain.add(lastBlock(dependencies, run, newHeaders))
}

/** Whether the next empty block will have the same fees, gas limit and difficulty. Base fee and excess blob gas are compared with
 * those of the child, because a request may have set those of the block itself; the rest is compared with the parent. */
export function isSteady({ block: { header }, parent }: ChainEntry, network: Network): boolean {
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

/** A function that makes the empty block after another one, without a proof of work. Its state is that of its parent. */
function emptyBlockMaker(
  dependencies: EmptyBlockDependencies,
  run: EmptyBlockRun,
): (parent: ChainEntry) => ChainEntry {
  const { chain, network } = dependencies
  const { state } = chain.head
  const consensus = consensusOf(network)
  const body = { uncles: [], state: new State(state) }
  return (parent) => {
    const context = contextAfter(parent, dependencies, run)
    const consensusFields = consensus.prepare(parent.block.header, body)
    const block = sealBlock(network, { parent, context, state, receipts: [], consensusFields })
    return new ChainEntry({ block, state, parent })
  }
}

/** The last block of the run, mined after the system contracts recorded the blocks with these headers. */
function lastBlock(
  dependencies: EmptyBlockDependencies,
  run: EmptyBlockRun,
  headers: readonly Header[],
): ChainEntry {
  const { chain, engine, network } = dependencies
  const parent = chain.head
  const state = new State(parent.state)
  const contracts = systemContracts(network)
  for (const header of headers.slice(-Number(RING_SIZE))) {
    recordBlock(state, contracts, { ...header, parentBeaconBlockRoot: ZERO_HASH })
  }
  const assembly = assemble(engine, network, {
    parent,
    context: contextAfter(parent, dependencies, run),
    state,
    uncles: [],
    candidates: [],
    finish: sealBlockContent,
  })
  // What it needs is in memory: the block before the run needed the same.
  const made = runAtOnce(assembly)
  return new ChainEntry({ block: made.block, state: made.state, parent })
}

function contextAfter(
  parent: ChainEntry,
  dependencies: EmptyBlockDependencies,
  { gapSeconds }: EmptyBlockRun,
): BlockContext {
  const next = { timestamp: parent.block.header.timestamp + gapSeconds }
  const { later } = dependencies.settings.value
  return nextBlockContext(parent, { ...dependencies, settings: { next, later } }, 0)
}
