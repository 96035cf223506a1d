/** Delays between attempts of a request. */

import type { Host } from '../base/host.ts'

/** Longest delay before the second attempt, in milliseconds. It doubles with every attempt. */
export const FIRST_DELAY_MS = 250

/** Longest delay, in milliseconds. */
const MAX_DELAY_MS = 10_000

/**
 * Milliseconds to wait after the given number of attempts: at random between half of the longest delay and all of it, so that
 * requests that failed together are not repeated together.
 */
export function retryDelayMs(attempts: number, random: Host['random']): number {
  const longestMs = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS)
  const [byte = 0] = random(1)
  return Math.round((longestMs / 2) * (1 + byte / 255))
}
