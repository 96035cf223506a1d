/** Runs a task at intervals of wall-clock time, to make blocks. */

import type { Emitter } from '../../base/events.ts'
import { bytesToBigInt } from '../../base/hex.ts'
import type { Host } from '../../base/host.ts'
import type { IntervalMode } from '../../config/mining-mode.ts'
import type { MinerDependencies } from './miner-dependencies.ts'

/** Time between two blocks: fixed, or random up to `upToMs`. */
type Interval = Pick<IntervalMode, 'everyMs' | 'upToMs'>

interface BlockTimerDependencies extends Pick<MinerDependencies, 'instance' | 'host'> {
  readonly make: () => unknown
  /** Emitted with the error of a block that could not be made. */
  readonly failed: Emitter<unknown>
}

/** The block timer of one chain instance. It continues after a failure. */
export class BlockTimer {
  readonly #dependencies: BlockTimerDependencies
  #cancel: () => void = () => undefined
  #isClosed = false

  constructor(dependencies: BlockTimerDependencies) {
    this.#dependencies = dependencies
  }

  /** Starts a new interval; `undefined` stops the timer. */
  restart(interval: Interval | undefined): void {
    this.#cancel()
    if (this.#isClosed || interval === undefined) return
    let isCurrent = true
    const { host } = this.#dependencies
    const cancel = host.schedule(drawnFrom(interval, host), () => {
      void this.#run(() => isCurrent).then(() => {
        if (isCurrent) this.restart(interval)
      })
    })
    this.#cancel = () => {
      isCurrent = false
      cancel()
    }
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Stops the timer permanently. */
  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  /** Runs the task when the lock is free, unless the timer was stopped or restarted before that. */
  async #run(isCurrent: () => boolean): Promise<void> {
    const { instance, make, failed } = this.#dependencies
    try {
      await instance.lock.run('write', () => (isCurrent() ? make() : undefined))
    } catch (error) {
      // A block that waited for the remote when the node was closed is not wanted any more.
      if (!this.#isClosed) failed.emit(error)
    }
  }
}

/** An interval in milliseconds; random, both ends included, if they differ. */
function drawnFrom({ everyMs, upToMs = everyMs }: Interval, { random }: Host): number {
  if (upToMs === everyMs) return everyMs
  return everyMs + Number(bytesToBigInt(random(6)) % BigInt(upToMs - everyMs + 1))
}
