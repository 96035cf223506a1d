/** Engines that run traces: made when they are needed, and kept for the next trace. */

import type { Engine } from '../evm/engine.ts'

/** Gives every trace an engine for itself, for a trace may stand still as long as its reader is slow. */
export class EnginePool {
  readonly #create: () => Promise<Engine>
  readonly #idle: Engine[] = []

  constructor(create: () => Promise<Engine>) {
    this.#create = create
  }

  /** Runs with an engine nobody else uses. */
  async use<T>(run: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = this.#idle.pop() ?? (await this.#create())
    try {
      return await run(engine)
    } finally {
      this.#idle.push(engine)
    }
  }
}
