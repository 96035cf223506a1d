/** Computes the hash rate of the chain. */

import type { Chain } from '../chain.ts'
import type { ChainEntry } from '../chain-entry.ts'
import type { Clock } from './clock.ts'

/** Time window of the average, in seconds of the chain's clock (node-rpc 5.2). */
const WINDOW_SECONDS = 3600n

/**
 * Hashes per second: the difficulty of the blocks of the last hour, divided by its seconds. The walk from the head ends at the first
 * block outside of it, which can be a future one.
 */
export function hashrateOf({ chain, clock }: { readonly chain: Chain; readonly clock: Clock }): bigint {
  const { now } = clock
  const since = now - WINDOW_SECONDS
  let work = 0n
  for (let entry: ChainEntry | undefined = chain.head; entry !== undefined; entry = entry.parent) {
    const { timestamp } = entry.block.header
    if (timestamp > now || timestamp <= since) break
    work += workSince(since, entry)
  }
  return work / WINDOW_SECONDS
}

/** Difficulty of a block and of the reserved blocks before it, as far as they are later than `since`. */
function workSince(since: bigint, { block, parent }: ChainEntry): bigint {
  if (parent === undefined) return block.totalDifficulty
  const [{ number, timestamp }, before] = [block.header, parent.block.header]
  const blocks = number - before.number
  const work = block.totalDifficulty - parent.block.totalDifficulty
  if (blocks === 1n || before.timestamp > since) return work
  const older = ((since - before.timestamp) * blocks) / (timestamp - before.timestamp)
  return (work * (blocks - older)) / blocks
}
