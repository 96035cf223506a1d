/** Who hears what contracts said in transactions that are mined, and which failed: the request that had them mined, or else everybody. */

import { Event } from '../base/events.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { Chain } from '../chain/chain.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { Cell } from '../instance/chain-instance.ts'

/** The transactions of a block that said something, or failed. */
export interface ToldBlock {
  /** Id of the isolated chain it is of; absent for the default one. */
  readonly world: string | undefined
  readonly number: bigint
  readonly receipts: readonly Receipt[]
}

/** Hands on what is said in blocks of one chain. */
export class ConsoleLog {
  /** Emitted for a block that no request asked for, unless nothing is to be logged. */
  readonly unasked = new Event<ToldBlock>()
  /** Writing requests come one at a time. */
  #listener: ((block: ToldBlock) => void) | undefined
  /** Blocks may leave the chain and join it again. */
  readonly #heard = new WeakSet<Outcome>()
  readonly #logging: Pick<Cell<boolean>, 'value'>
  readonly #world: string | undefined

  constructor(chain: Chain, logging: Pick<Cell<boolean>, 'value'>, world?: string) {
    this.#logging = logging
    this.#world = world
    chain.headChanged.on(({ added }) => {
      // Another genesis: the chain was loaded, and nothing of it happened now.
      if (added[0]?.header.number === 0n) return
      for (const block of added) this.#hear(block)
    })
  }

  /** Runs a task that is alone with the chain; the listener hears of the blocks that join meanwhile. */
  during<T>(listener: (block: ToldBlock) => void, task: () => T | Promise<T>): T | Promise<T> {
    this.#listener = listener
    let result: T | Promise<T>
    try {
      result = task()
    } catch (error) {
      this.#listener = undefined
      throw error
    }
    if (result instanceof Promise) return result.finally(() => (this.#listener = undefined))
    this.#listener = undefined
    return result
  }

  #hear({ header, receipts }: Block): void {
    const told = receipts.filter(({ outcome }) => this.#isNews(outcome))
    if (told.length === 0) return
    const block = { world: this.#world, number: header.number, receipts: told }
    if (this.#listener !== undefined) this.#listener(block)
    else if (this.#logging.value) this.unasked.emit(block)
  }

  #isNews(outcome: Outcome): boolean {
    const isTold = outcome.consoleCalls !== undefined || outcome.status !== 'success'
    if (!isTold || this.#heard.has(outcome)) return false
    this.#heard.add(outcome)
    return true
  }
}
