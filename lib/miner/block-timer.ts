/** Makes blocks at intervals of wall-clock time. */

import type { Event } from '../base/events.ts'
import { bytesToBigInt } from '../base/hex.ts'
import type { Host } from '../base/host.ts'
import type { IntervalMode } from '../config/mining-mode.ts'
import type { ChainInstance } from '../instance/chain-instance.ts'

/** What is done when the time has come. */
export interface Task {
  readonly make: () => unknown
  /** Emitted with the error of a block that could not be made. */
  readonly failed: Event<unknown>
}

/** How long it takes to the next block. */
export type Interval = Pick<IntervalMode, 'everyMs' | 'upToMs'>

/** The timer of one world. It goes on after a failure. */
export class BlockTimer {
  readonly #parts: { readonly instance: ChainInstance; readonly host: Host }
  readonly #task: Task
  #cancel: () => void = () => undefined
  #isClosed = false

  constructor(parts: { readonly instance: ChainInstance; readonly host: Host }, task: Task) {
    this.#parts = parts
    this.#task = task
  }

  /** Begins an interval anew; without one there is none any more. */
  restart(interval: Interval | undefined): void {
    this.#cancel()
    if (this.#isClosed || interval === undefined) return
    let matchesSubscription = true
    const { host } = this.#parts
    const cancel = host.schedule(drawnFrom(interval, host), () => {
      void this.#run(() => matchesSubscription).then(() => {
        if (matchesSubscription) this.restart(interval)
      })
    })
    this.#cancel = () => {
      matchesSubscription = false
      cancel()
    }
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Stops for good. */
  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  /** Waits for its turn; a stop or a revert that came first takes the block back, and starts its own interval. */
  async #run(matchesSubscription: () => boolean): Promise<void> {
    try {
      await this.#parts.instance.lock.run('write', () =>
        matchesSubscription() ? this.#task.make() : undefined,
      )
    } catch (error) {
      this.#task.failed.emit(error)
    }
  }
}

/** Milliseconds; both ends may be drawn. */
function drawnFrom({ everyMs, upToMs = everyMs }: Interval, { random }: Host): number {
  if (upToMs === everyMs) return everyMs
  return everyMs + Number(bytesToBigInt(random(6)) % BigInt(upToMs - everyMs + 1))
}
