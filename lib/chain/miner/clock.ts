/** The clock of a chain: the wall clock and an offset that requests can change. */

import type { Capturable, Captured, ChainInstance } from '../instance/chain-instance.ts'

const MS_PER_SECOND = 1000n

/** The captured value of a clock. */
interface Time {
  readonly nowMs: bigint
  /** Seconds added by `increase` so far. */
  readonly increased: bigint
}

/** The clock of one chain instance. It returns whole seconds and counts milliseconds internally. */
export class Clock implements Capturable<Time> {
  readonly captured: Captured<Time>
  readonly #wall: () => number
  readonly #forgets: boolean
  #offsetMs = 0n
  #increased = 0n

  /**
   * `wall` returns milliseconds since the epoch. If it returns a constant, only requests change the time. With `forgets`, the next block
   * uses an increase up (node-rpc 7.3).
   */
  constructor(instance: ChainInstance, wall: () => number, forgets = false) {
    this.#wall = wall
    this.#forgets = forgets
    this.captured = instance.registerCapturable('clock', this, {
      peek: () => [this.#offsetMs, this.#increased].join(),
    })
  }

  get now(): bigint {
    return this.#nowMs / MS_PER_SECOND
  }

  /** Seconds added by `increase` so far. */
  get increased(): bigint {
    return this.#increased
  }

  increase(seconds: bigint): void {
    this.#increased += seconds
    this.#offsetMs += seconds * MS_PER_SECOND
  }

  set(seconds: bigint): void {
    this.#offsetMs = seconds * MS_PER_SECOND - BigInt(this.#wall())
  }

  /** Moves the clock forward to a time, unless it is later already. */
  advanceTo(seconds: bigint): void {
    if (this.now < seconds) this.set(seconds)
  }

  /** Moves the clock to the time of a new block. Drops the changes of requests if blocks use them up. */
  follow(seconds: bigint): void {
    if (this.#forgets) this.restore({ nowMs: BigInt(this.#wall()), increased: 0n })
    else this.advanceTo(seconds)
  }

  capture(): Time {
    return { nowMs: this.#nowMs, increased: this.#increased }
  }

  /** Continues from the captured time, regardless of the wall time that has passed since. */
  restore({ nowMs, increased }: Time): void {
    this.#offsetMs = nowMs - BigInt(this.#wall())
    this.#increased = increased
  }

  get #nowMs(): bigint {
    return BigInt(this.#wall()) + this.#offsetMs
  }
}
