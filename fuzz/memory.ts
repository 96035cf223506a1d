/** The law of memory: after the same reset, a node uses as much as after the first rounds. */

import type { Level } from './messages.ts'
import { BrokenLaw } from './node-client.ts'

/** Bytes that the level may grow: caches of V8 and of the node fill slowly, and are bounded. */
const ALLOWED_BYTES = 48 * 2 ** 20

/** Part of the first level that it may grow as well. */
const ALLOWED_PART = 0.5

/** Maximum resident memory at a level: pages that V8 keeps for later are in it. */
const MAX_RSS_BYTES = 1.5 * 2 ** 30

/** Checks the levels of a node, first to last. @throws BrokenLaw */
export function checkMemory(levels: readonly Level[]): void {
  const [first] = levels
  const last = levels.at(-1)
  if (first === undefined || last === undefined) return
  const limit = first.used * (1 + ALLOWED_PART) + ALLOWED_BYTES
  const detail = levels.map(({ used, rss }) => `${megabytes(used)} (rss ${megabytes(rss)})`).join(', ')
  if (last.used > limit || last.rss > MAX_RSS_BYTES) {
    throw new BrokenLaw('memory back to its level', `MB after each round: ${detail}`)
  }
}

/** Bytes as MB, rounded. */
export const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
