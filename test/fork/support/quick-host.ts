/** A host whose timers fire without waiting, for tests of retries and pauses. */

import type { Host } from '../../../lib/base/host.ts'
import { STARTED_AT_MS } from '../../support/node.ts'

/** Time-outs of this length wait until the test lets them expire. */
export const HELD_MS = 1_000_000

interface HeldTask {
  readonly run: () => void
}

/** Fires timers in the next turn of the event loop, at which its clock is at their time. Records the delays. */
export class QuickHost implements Host {
  /** Delays of all timers that are not held, in milliseconds. */
  readonly delaysMs: number[] = []
  readonly #held = new Set<HeldTask>()
  #nowMs = STARTED_AT_MS
  #byte = 0

  readonly now = () => this.#nowMs

  readonly elapsed = () => this.#nowMs

  /** 0, 85, 170, 255, and again. */
  readonly random = (length: number) => Uint8Array.from({ length }, () => (this.#byte++ % 4) * 85)

  readonly schedule = (delayMs: number, run: () => void) => {
    if (delayMs === HELD_MS) return this.#hold(run)
    this.delaysMs.push(delayMs)
    const dueMs = this.#nowMs + delayMs
    const timer = setImmediate(() => {
      this.#nowMs = Math.max(this.#nowMs, dueMs)
      run()
    })
    return () => clearImmediate(timer)
  }

  /** Number of time-outs that wait. */
  get held(): number {
    return this.#held.size
  }

  /** Lets the waiting time-outs expire. */
  expire(): void {
    for (const task of [...this.#held]) {
      this.#held.delete(task)
      task.run()
    }
  }

  #hold(run: () => void): () => void {
    const task = { run }
    this.#held.add(task)
    return () => void this.#held.delete(task)
  }
}
