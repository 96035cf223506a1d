/** When requests to a remote are sent: at most so many per second, and again after a delay when they failed. */

import type { Host } from '../base/host.ts'

/** Length of the time in which requests are counted, in milliseconds. */
const WINDOW_MS = 1000

/** Counts the JSON-RPC requests of the last second. Providers count the requests of a batch one by one. */
export class RequestRate {
  readonly #perSecond: number
  /** Times of the requests of the last second, oldest first. */
  #sentAtMs: readonly number[] = []

  /** 0 requests per second are no limit. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** Number of requests that may be sent now. */
  free(nowMs: number): number {
    if (this.#perSecond === 0) return Infinity
    this.#sentAtMs = this.#sentAtMs.filter((timeMs) => timeMs > nowMs - WINDOW_MS)
    return this.#perSecond - this.#sentAtMs.length
  }

  /** Counts requests that are sent now. */
  count(requests: number, nowMs: number): void {
    if (this.#perSecond === 0) return
    this.#sentAtMs = this.#sentAtMs.concat(Array.from({ length: requests }, () => nowMs))
  }

  /** Milliseconds until another request may be sent, if none may be sent now. */
  waitMs(nowMs: number): number {
    const [oldest = nowMs] = this.#sentAtMs
    return oldest + WINDOW_MS - nowMs
  }
}

/** Longest delay before the second attempt of a request, in milliseconds. It doubles with every attempt. */
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
