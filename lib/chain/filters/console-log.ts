/** Passes console output and failures of mined transactions to the request that mined them, else to all listeners. */

import { Emitter } from '../../base/events.ts'
import type { Receipt } from '../block.ts'
import type { Chain } from '../chain.ts'
import type { ChainEntry } from '../chain-entry.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { Cell } from '../instance/chain-instance.ts'

/** The transactions of a block that have console output or failed. */
export interface LoggedBlock {
  /** Id of the isolated chain of the block; absent for the default one. */
  readonly world: string | undefined
  readonly entry: ChainEntry
  readonly receipts: readonly Receipt[]
}

/** Reports console output and failures in the blocks of one chain. */
export class ConsoleLog {
  /** Emitted for a block that no request mined, if logging is enabled. */
  readonly unrequested = new Emitter<LoggedBlock>()
  /** One listener is enough: writing requests run one at a time. */
  #listener: ((block: LoggedBlock) => void) | undefined
  /** Outcomes that were reported. A block that a reorganization removes and adds again is not reported twice. */
  readonly #reported = new WeakSet<Outcome>()
  readonly #logging: Pick<Cell<boolean>, 'value'>
  readonly #world: string | undefined

  constructor(chain: Chain, logging: Pick<Cell<boolean>, 'value'>, world?: string) {
    this.#logging = logging
    this.#world = world
    chain.onNewBlock((entry) => this.#report(entry))
  }

  /** Runs a task that holds the lock; the listener gets the blocks that join the chain meanwhile. */
  during<T>(listener: (block: LoggedBlock) => void, task: () => T | Promise<T>): T | Promise<T> {
    const stop = (): void => void (this.#listener = undefined)
    this.#listener = listener
    let result: T | Promise<T> | undefined
    try {
      result = task()
      return result instanceof Promise ? result.finally(stop) : result
    } finally {
      if (!(result instanceof Promise)) stop()
    }
  }

  #report(entry: ChainEntry): void {
    const logged = entry.block.receipts.filter(({ outcome }) => this.#isFirstReport(outcome))
    if (logged.length === 0) return
    const block = { world: this.#world, entry, receipts: logged }
    if (this.#listener !== undefined) this.#listener(block)
    else if (this.#logging.value) this.unrequested.emit(block)
  }

  #isFirstReport(outcome: Outcome): boolean {
    const isLogged = outcome.consoleCalls !== undefined || outcome.status !== 'success'
    if (!isLogged || this.#reported.has(outcome)) return false
    this.#reported.add(outcome)
    return true
  }
}
