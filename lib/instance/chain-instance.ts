/** One isolated chain's mutable values. Every one of them is registered here with what a revert does to it. */

import { Lock } from '../base/lock.ts'
import { Event } from '../base/events.ts'
import { present } from '../base/invariant.ts'

/** What a revert does to a cell: put the captured value back, or leave the present one. */
export type RevertRule = 'restore' | 'keep'

/** Finds what one part of the world was in a capture. */
export interface Captured<C> {
  /** @throws InvariantError for a capture of another world */
  readonly in: (capture: Capture) => C
}

/** One mutable value. */
export class Cell<T> implements Captured<T> {
  value: T
  readonly #held = new WeakMap<Capture, { readonly value: T }>()

  constructor(value: T) {
    this.value = value
  }

  readonly in = (capture: Capture): T => present(this.#held.get(capture), 'cell of this capture').value

  /** Notes the value as part of a capture. */
  hold(capture: Capture): void {
    this.#held.set(capture, { value: this.value })
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
  /** Makes the value part of a capture. */
  readonly hold: (capture: Capture) => void
  /** Puts back what is in a capture. */
  readonly put: (capture: Capture) => void
}

/** Everything captured at one moment. The parts are with those they belong to. */
export class Capture {
  readonly #parts: readonly Registered[]

  constructor(parts: readonly Registered[]) {
    this.#parts = parts
    for (const part of parts) part.hold(this)
  }

  /** Puts every captured value back. Can be done again, at any later time. */
  restore(): void {
    for (const part of this.#parts) part.put(this)
  }
}

/** The home of the cells of one chain, and the lock through which requests enter it. */
export class ChainInstance {
  readonly lock = new Lock()
  /** Emitted before a capture is put back. */
  readonly reverting = new Event<undefined>()
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
      hold: (capture) => cell.hold(capture),
      put: (capture) => (cell.value = cell.in(capture)),
    })
    return cell
  }

  /** Registers state that captures and restores itself. `peek` shows it to tests that look for changes. */
  own<C>(name: string, state: Capturable<C>, peek: () => unknown): Captured<C> {
    const held = new WeakMap<Capture, { readonly value: C }>()
    const captured = { in: (capture: Capture): C => present(held.get(capture), name).value }
    this.#registered.push({
      name,
      rule: 'restore',
      peek,
      hold: (capture) => void held.set(capture, { value: state.capture() }),
      put: (capture) => state.restore(captured.in(capture)),
    })
    return captured
  }

  /** Takes every cell that a revert restores. */
  capture(): Capture {
    return new Capture(this.#registered.filter(({ rule }) => rule === 'restore'))
  }

  /** Puts a capture of this world back. */
  restore(capture: Capture): void {
    this.reverting.emit(undefined)
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
