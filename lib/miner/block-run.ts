/**
 * Several blocks in one go. Where nothing but their time can differ they are reserved, and made when somebody looks:
 * suites that let a voting period of thousands of blocks pass look at few of them.
 */

import { nextTurn } from '../base/outside.ts'
import type { Block } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain.ts'
import { State } from '../state/state.ts'
import { assemble } from './assemble.ts'
import type { SettingsDesk } from './block-settings.ts'
import type { MinerParts } from './miner.ts'
import { leastTimestamp, planNextBlock } from './next-block.ts'
import { proveWork } from './own-work.ts'

/** What a run of blocks is made with. */
export interface BlockRunParts extends Omit<MinerParts, 'world' | 'outside' | 'mode'> {
  readonly settings: SettingsDesk
  /** Makes one block of what waits. */
  readonly mine: () => Block
}

/** Blocks made in one go while others wait for the event loop: some tens of milliseconds' work. */
const BLOCKS_PER_TURN = 256n

/** Most blocks that are reserved: whoever looks waits for them, and so do all others, for a second or two. */
const MOST_RESERVED = 10_000n

/** Mines blocks whose times are `gapSeconds` apart where given, but at least as far as blocks must be. */
export async function mineRun(parts: BlockRunParts, count: bigint, gapSeconds?: bigint): Promise<void> {
  for (let mined = 0n; mined < count; mined++) {
    const left = count - mined
    // What was set for the next block, and what waits in the pool, is for the first.
    if (mined > 0n && left <= MOST_RESERVED && isPredictable(parts)) return reserve(parts, left, gapSeconds)
    if (mined > 0n && gapSeconds !== undefined) {
      const { timestamp } = parts.chain.head.block.header
      parts.settings.setNext({ timestamp: timestamp + stepOf(parts, gapSeconds) })
    }
    parts.mine()
    // Those who hear of every block are given the time to take what was sent.
    if (mined % BLOCKS_PER_TURN === BLOCKS_PER_TURN - 1n) await nextTurn()
  }
}

/** Whether the next blocks are empty, and nobody waits to hear of them. */
function isPredictable({ chain, mempool }: BlockRunParts): boolean {
  const isAlone = [...chain.siblings].length === 0
  return mempool.size === 0 && isAlone && !chain.isWatched
}

function reserve(parts: BlockRunParts, count: bigint, gapSeconds: bigint | undefined): void {
  const { chain, clock, settings } = parts
  const step = stepOf(parts, gapSeconds ?? settings.value.later.gapSeconds ?? 0n)
  const reached = chain.head.block.header.timestamp + count * step
  chain.reserve(Number(count), emptyBlocks(parts, step))
  if (gapSeconds === undefined) clock.reach(reached)
  else clock.set(reached)
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
