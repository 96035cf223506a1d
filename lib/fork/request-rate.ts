/** Limits JSON-RPC requests per second. Providers count the requests of a batch one by one. */

/** Length of the time in which requests are counted, in milliseconds. */
const WINDOW_MS = 1000

/** Counts the requests of the last second. */
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
    // A time after now is one from before the clock was set back.
    this.#sentAtMs = this.#sentAtMs.filter((timeMs) => timeMs > nowMs - WINDOW_MS && timeMs <= nowMs)
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
