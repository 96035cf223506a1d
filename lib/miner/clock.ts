/** The chain's clock: the wall clock and what tests moved it by. */

import type { Capturable, Captured, ChainInstance } from '../instance/chain-instance.ts'

const MS_PER_SECOND = 1000n

/** What a chain's clock shows. */
interface Time {
  /** Milliseconds since the epoch. */
  readonly nowMs: bigint
  /** Seconds by which it was moved so far. */
  readonly increased: bigint
}

/** Time of one world, in whole seconds outside and milliseconds inside. */
export class Clock implements Capturable<Time> {
  /** The time in a capture. */
  readonly captured: Captured<Time>
  readonly #wall: () => number
  #offsetMs = 0n
  #increased = 0n

  /** `wall` answers milliseconds since the epoch; a constant makes time stand still until it is moved. */
  constructor(instance: ChainInstance, wall: () => number) {
    this.#wall = wall
    this.captured = instance.own('clock', this, () => [this.#offsetMs, this.#increased].join())
  }

  /** Seconds since the epoch, on this chain. */
  get now(): bigint {
    return this.#nowMs / MS_PER_SECOND
  }

  /** Seconds by which `increase` moved time so far. */
  get increased(): bigint {
    return this.#increased
  }

  /** Moves time forward. */
  increase(seconds: bigint): void {
    this.#increased += seconds
    this.#offsetMs += seconds * MS_PER_SECOND
  }

  /** Makes it the given time now; it goes on from there. */
  set(seconds: bigint): void {
    this.#offsetMs = seconds * MS_PER_SECOND - BigInt(this.#wall())
  }

  /** Makes it no earlier than the given time. */
  reach(seconds: bigint): void {
    if (this.now < seconds) this.set(seconds)
  }

  capture(): Time {
    return { nowMs: this.#nowMs, increased: this.#increased }
  }

  /** After a revert time goes on from the moment of the snapshot, however long the test took. */
  restore({ nowMs, increased }: Time): void {
    this.#offsetMs = nowMs - BigInt(this.#wall())
    this.#increased = increased
  }

  get #nowMs(): bigint {
    return BigInt(this.#wall()) + this.#offsetMs
  }
}
