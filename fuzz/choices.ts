/** Random choices of one seed, and what earlier answers of the node told. */

import { drawsFrom } from '../test/support/random-draws.ts'
import type { Draw } from '../test/support/random-draws.ts'
import { Known } from './known.ts'

/** Makes random choices. The same seed and the same answers give the same choices. */
export class Choices {
  readonly known = new Known()
  readonly draw: Draw
  #lastId = 0

  constructor(seed: number) {
    this.draw = drawsFrom(seed)
  }

  /** A number that it has not given before. */
  nextId(): number {
    return ++this.#lastId
  }

  /** An item of a list, which is not empty. */
  any<T>(from: readonly T[]): T {
    return from[this.draw(from.length)]!
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.draw(times) === 0
  }

  /** Random bytes. */
  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.draw(256))
  }

  /** A list with fewer items than `below`. */
  list<T>(below: number, item: () => T): T[] {
    return Array.from({ length: this.draw(below) }, item)
  }

  /** An item of a list of [weight, item], in proportion to the weights. */
  weighted<T>(rows: readonly (readonly [number, T])[]): T {
    let left = this.draw(rows.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, item] of rows) {
      if (left < weight) return item
      left -= weight
    }
    return rows[0]![1]
  }
}
