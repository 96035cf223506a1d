/** The fork of a chain instance, which a reset replaces. */

import type { Capture, Cell, ChainInstance } from '../instance/chain-instance.ts'
import type { Fork } from './fork.ts'

/** The forks of one chain instance: its first fork, and the fork of the last reset. */
export class ChainForks {
  readonly #initial: Fork | undefined
  readonly #current: Cell<Fork | undefined>
  /** The fork of the last reset. */
  #replacement: Fork | undefined

  constructor(instance: ChainInstance, initial: Fork | undefined) {
    this.#initial = initial
    this.#current = instance.cell<Fork | undefined>('fork', 'restore', initial)
  }

  /** The fork that the chain continues; absent if it continues no remote chain. */
  get current(): Fork | undefined {
    return this.#current.value
  }

  /** The same at a capture. */
  in(capture: Capture): Fork | undefined {
    return this.#current.in(capture)
  }

  /**
   * Records the fork of a reset; absent if the chain was put back to its beginning. Returns the fork of the reset before, for the
   * caller to close: a reset drops all snapshots, so none has it any more.
   */
  replace(fork: Fork | undefined): Fork | undefined {
    const earlier = this.#replacement
    this.#replacement = fork
    this.#current.value = fork ?? this.#initial
    return earlier
  }

  /** Closes all forks. */
  async close(): Promise<void> {
    await Promise.all([this.#initial?.close(), this.#replacement?.close()])
  }
}
