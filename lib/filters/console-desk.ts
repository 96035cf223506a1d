/** Who hears what contracts said in transactions that are mined: the request that had them mined, or else everybody. */

import { Event } from '../base/events.ts'
import type { Block, Receipt } from '../chain/block.ts'
import type { Chain } from '../chain/chain.ts'
import type { ConsoleCalls } from '../evm/console.ts'

/** The transactions of a block that said something. */
export interface SpokenBlock {
  /** Id of the isolated chain it is of; absent for the default one. */
  readonly world: string | undefined
  readonly number: bigint
  readonly receipts: readonly Receipt[]
}

/** Hands on what is said in blocks of one chain. */
export class ConsoleDesk {
  /** Emitted for a block that no request asked for. */
  readonly unasked = new Event<SpokenBlock>()
  /** Writing requests come one at a time. */
  #listener: ((block: SpokenBlock) => void) | undefined
  /** Blocks may leave the chain and join it again. */
  readonly #heard = new WeakSet<ConsoleCalls>()

  readonly #world: string | undefined

  constructor(chain: Chain, world?: string) {
    this.#world = world
    chain.headChanged.on(({ added }) => {
      for (const block of added) this.#hear(block)
    })
  }

  /** Runs a task that is alone with the chain; the listener hears of the blocks that join meanwhile. */
  during<T>(listener: (block: SpokenBlock) => void, task: () => T | Promise<T>): T | Promise<T> {
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
    const spoken = receipts.filter(({ outcome }) => this.#isNew(outcome.consoleCalls))
    if (spoken.length === 0) return
    const block = { world: this.#world, number: header.number, receipts: spoken }
    if (this.#listener === undefined) this.unasked.emit(block)
    else this.#listener(block)
  }

  #isNew(calls: ConsoleCalls | undefined): boolean {
    if (calls === undefined || this.#heard.has(calls)) return false
    this.#heard.add(calls)
    return true
  }
}
