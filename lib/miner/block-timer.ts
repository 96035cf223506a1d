/** Makes blocks at intervals of wall-clock time. */

import type { Event } from '../base/events.ts'
import type { Outside } from '../base/outside.ts'
import type { World } from '../world/world.ts'

/** What is done when the time has come. */
export interface Task {
  readonly make: () => unknown
  /** Emitted with the error of a block that could not be made. */
  readonly failed: Event<unknown>
}

/** The timer of one world. It goes on after a failure. */
export class BlockTimer {
  readonly #parts: { readonly world: World; readonly outside: Outside }
  readonly #task: Task
  #cancel: () => void = () => undefined
  #isClosed = false

  constructor(parts: { readonly world: World; readonly outside: Outside }, task: Task) {
    this.#parts = parts
    this.#task = task
  }

  /** Begins an interval anew; without one there is none any more. */
  restart(everyMs: number | undefined): void {
    this.#cancel()
    if (this.#isClosed || everyMs === undefined) return
    let isWanted = true
    const cancel = this.#parts.outside.schedule(everyMs, () => {
      void this.#run(() => isWanted).then(() => {
        if (isWanted) this.restart(everyMs)
      })
    })
    this.#cancel = () => {
      isWanted = false
      cancel()
    }
  }

  /** Stops for good. */
  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  /** Waits for its turn; a stop or a revert that came first takes the block back, and starts its own interval. */
  async #run(isWanted: () => boolean): Promise<void> {
    try {
      await this.#parts.world.lock.run('write', () => (isWanted() ? this.#task.make() : undefined))
    } catch (error) {
      this.#task.failed.emit(error)
    }
  }
}
