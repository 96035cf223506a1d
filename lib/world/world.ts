/** One isolated chain's mutable values. Every one of them is registered here with what a revert does to it. */

import { Lock } from '../base/lock.ts'
import { Event } from '../base/events.ts'
import { present } from '../base/invariant.ts'

/** What a revert does to a cell: put the captured value back, or leave the present one. */
export type RevertRule = 'restore' | 'keep'

/** One mutable value. */
export class Cell<T> {
  value: T

  constructor(value: T) {
    this.value = value
  }
}

/** State that a service captures and restores in its own way, in time proportional to what changed. */
export interface Capturable<C> {
  /** Takes the value as it is, in constant time; nothing that happens later changes what was taken. */
  capture(): C
  /** Puts a captured value back. */
  restore(captured: C): void
}

interface Registered {
  readonly name: string
  readonly rule: RevertRule
  readonly peek: () => unknown
  /** Takes the value and says how to put it back. */
  readonly hold: () => () => void
}

/** Everything captured at one moment. */
export class Capture {
  readonly #restorers: readonly (() => void)[]

  constructor(restorers: readonly (() => void)[]) {
    this.#restorers = restorers
  }

  /** Puts every captured value back. Can be done again, at any later time. */
  restore(): void {
    for (const restore of this.#restorers) restore()
  }
}

/** The home of the cells of one chain, and the lock through which requests enter it. */
export class World {
  readonly lock = new Lock()
  /** Emitted after a capture was put back. */
  readonly reverted = new Event<undefined>()
  readonly #registered: Registered[] = []

  /** Registers a value that is replaced as a whole and never changed in place. */
  cell<T>(name: string, rule: RevertRule, value: T): Cell<T> {
    const cell = new Cell(value)
    this.#registered.push({
      name,
      rule,
      peek: () => cell.value,
      hold: () => {
        const held = cell.value
        return () => (cell.value = held)
      },
    })
    return cell
  }

  /** Registers state that captures and restores itself. `peek` shows it to tests that look for changes. */
  own<C>(name: string, state: Capturable<C>, peek: () => unknown): void {
    const hold = () => {
      const captured = state.capture()
      return () => state.restore(captured)
    }
    this.#registered.push({ name, rule: 'restore', peek, hold })
  }

  /** Takes every cell that a revert restores. */
  capture(): Capture {
    const restored = this.#registered.filter(({ rule }) => rule === 'restore')
    return new Capture(restored.map(({ hold }) => hold()))
  }

  /** Puts a capture of this world back. */
  restore(capture: Capture): void {
    capture.restore()
    this.reverted.emit(undefined)
  }

  /** Present value of every cell by name: for tests of what a method may change. */
  peek(): ReadonlyMap<string, unknown> {
    return new Map(this.#registered.map(({ name, peek }) => [name, peek()]))
  }

  /** Rule of a cell, by name. */
  ruleOf(name: string): RevertRule {
    return present(
      this.#registered.find((cell) => cell.name === name),
      `cell ${name}`,
    ).rule
  }
}
