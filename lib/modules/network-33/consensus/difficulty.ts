/** Computes the difficulty of the next block on a merged-mining network (node-chain 6.6). */

import type { Header } from '../../../networks/consensus/consensus.ts'
import type { MergedMiningHeader } from './header.ts'

const MINIMUM_DIFFICULTY = 1n

/** The difficulty changes by 1/2048 per block. */
const DIFFICULTY_DIVISOR = 2048n

/** Block time in seconds at which the difficulty stays the same; each uncle adds as much. */
const SECONDS_PER_BLOCK = 10n

/** Seconds without a block after which the difficulty falls to the minimum. */
const RESET_AFTER_SECONDS = 600n

/** Maximum difficulty for which the node searches a nonce, which takes milliseconds per block. It does not check its own work. */
export const MAX_OWN_DIFFICULTY = 1024n

/**
 * Difficulty of a child. After a remote block whose successor the node could not prove, it is the minimum, so that a fork's local
 * blocks have proofs and tests' miners find them.
 */
export function childDifficulty(parent: MergedMiningHeader, timestamp: bigint, uncleCount: number): bigint {
  const difficulty = nextDifficulty(parent, timestamp, uncleCount)
  const isRemote = parent.own.remoteHash !== undefined
  return isRemote && difficulty > MAX_OWN_DIFFICULTY ? MINIMUM_DIFFICULTY : difficulty
}

/** Difficulty of a child with this timestamp and number of uncles. */
export function nextDifficulty(
  parent: Pick<Header, 'difficulty' | 'timestamp'>,
  timestamp: bigint,
  uncleCount = 0,
): bigint {
  const { difficulty } = parent
  const elapsed = timestamp - parent.timestamp
  const usual = SECONDS_PER_BLOCK * (1n + BigInt(uncleCount))
  if (elapsed >= RESET_AFTER_SECONDS) return MINIMUM_DIFFICULTY
  if (elapsed < 0n || elapsed === usual) return difficulty
  const step = difficulty / DIFFICULTY_DIVISOR
  const moved = elapsed < usual ? difficulty + step : difficulty - step
  return moved > MINIMUM_DIFFICULTY ? moved : MINIMUM_DIFFICULTY
}
