/** Sends honest requests after hostile ones, and checks how long their answers take. */

import { BrokenLaw } from './node-client.ts'
import type { NodeClient } from './node-client.ts'

/** Milliseconds in which an honest request is answered. */
const LIMIT_MS = 100

/**
 * Tries of a check. The machine may be busy with other things, and no clock tells that from a busy node; a node that is still
 * busy with a hostile request is so at every try.
 */
const TRIES = 5

/** The limit is never below this many times the median of the honest requests before, for machines that are slow as a whole. */
const MEDIANS = 20

/** Number of times that a median needs. */
const ENOUGH = 30

/** Number of times that are kept for the median. */
const KEPT = 500

const HONEST = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}'

/** Times of honest requests. */
export class Honest {
  readonly #timesMs: number[] = []
  count = 0
  /** The longest time of a first try. */
  worstFirstMs = 0
  /** The longest of the shortest times of each check. */
  worstMs = 0

  /** Milliseconds of a quantile of the recent times. */
  quantileMs(quantile: number): number {
    const sorted = this.#timesMs.toSorted((one, other) => one - other)
    return sorted[Math.floor(quantile * (sorted.length - 1))] ?? 0
  }

  /** Sends honest requests until one is answered in time. @throws BrokenLaw if none is */
  async check(node: NodeClient): Promise<void> {
    let best = Infinity
    for (let tries = 0; tries < TRIES; tries++) {
      const ms = await this.#ask(node)
      best = Math.min(best, ms)
      if (tries === 0) this.worstFirstMs = Math.max(this.worstFirstMs, ms)
      if (best <= LIMIT_MS) break
    }
    this.count++
    this.worstMs = Math.max(this.worstMs, best)
    const limit =
      this.#timesMs.length < ENOUGH ? LIMIT_MS : Math.max(LIMIT_MS, MEDIANS * this.quantileMs(0.5))
    this.#keep(best)
    if (best > limit) {
      throw new BrokenLaw(
        'the next honest request in time',
        `${Math.round(best)} ms in the best of ${TRIES} tries, limit ${Math.round(limit)}`,
      )
    }
  }

  async #ask(node: NodeClient): Promise<number> {
    const startedAt = performance.now()
    const answer = await node.post('/', HONEST, 60_000)
    if (answer === undefined) await node.checkLater()
    node.check()
    if (answer?.includes('"result"') !== true) {
      throw new BrokenLaw('no request without an answer', `an honest request got ${String(answer)}`)
    }
    return performance.now() - startedAt
  }

  #keep(ms: number): void {
    this.#timesMs.push(ms)
    if (this.#timesMs.length > KEPT) this.#timesMs.shift()
  }
}
