/**
 * Makes many empty blocks. All but the last leave the state as it is, so they are made from their headers alone. Before
 * the last one, which is mined in the usual way, the system contracts record the blocks of the run (EIP-2935, EIP-4788).
 */

import { runAtOnce } from '../../base/routine.ts'
import { nextExcessBlobGas, nextBaseFee } from '../fees.ts'
import { sealBlockContent } from '../block.ts'
import { BlockReservation } from '../block-reservation.ts'
import { ChainEntry } from '../chain-entry.ts'
import type { Header } from '../../networks/consensus/consensus.ts'
import { activeEips } from '../../config/active-eips.ts'
import type { Network } from '../../config/network.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import { RING_SIZE, systemContracts, withRecords, type NewBlock } from '../../evm/system-contracts.ts'
import { State } from '../../state/state.ts'
import { dropOutdated } from '../mempool/pending.ts'
import { assemble } from './assemble.ts'
import type { MinerWithSettings } from './miner-dependencies.ts'
import { nextBlockContext } from './next-block.ts'
import { sealBlock } from './seal.ts'

/** Empty blocks to be made after the head. */
export interface EmptyBlockRun {
  readonly count: bigint
  /** Seconds from block to block. */
  readonly gapSeconds: bigint
}

/** Maximum number of blocks before the first reserved one, in which fees, gas limit and difficulty settle. */
const MAX_SETTLING = 512

/** Makes the blocks one after another, and yields each after it became the head. */
export function* makeEmptyBlocks(
  dependencies: MinerWithSettings,
  run: EmptyBlockRun,
): IterableIterator<ChainEntry> {
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
export function isSteady({ block: { header }, parent }: ChainEntry, network: Network): boolean {
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
  /** Adds a block without a proof of work, which leaves the state as it is. */
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
