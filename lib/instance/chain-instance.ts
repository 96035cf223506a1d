/** A chain instance: registers all mutable values of one chain (the default chain or a world) with their revert rules. */

import { Lock } from '../base/lock.ts'
import { Emitter } from '../base/events.ts'
import { present } from '../base/invariant.ts'

/** Effect of a revert on a registered value: restore the captured value, or keep the current one. */
export type RevertRule = 'restore' | 'keep'

/** Reads the value that a capture holds for one registered value. */
export interface Captured<C> {
  /** @throws InvariantError for a capture of a different chain instance */
  readonly in: (capture: Capture) => C
}

/** One registered mutable value. */
export class Cell<T> implements Captured<T> {
  value: T
  readonly #held = new WeakMap<Capture, { readonly value: T }>()

  constructor(value: T) {
    this.value = value
  }

  readonly in = (capture: Capture): T => present(this.#held.get(capture), 'cell of this capture').value

  /** Stores the current value in a capture. */
  storeIn(capture: Capture): void {
    this.#held.set(capture, { value: this.value })
  }
}

/** State that a service captures and restores itself, in time proportional to the changes. */
export interface Capturable<C> {
  /** Captures the current value in constant time. Later changes do not affect the captured value. */
  capture(): C
  /** Restores a captured value. */
  restore(captured: C): void
}

interface Registered {
  readonly name: string
  readonly rule: RevertRule
  readonly peek: () => unknown
  /** Stores the current value in a capture. */
  readonly storeIn: (capture: Capture) => void
  /** Restores the value of a capture. */
  readonly restoreFrom: (capture: Capture) => void
}

/** A capture of all registered values at one time. Each registered value stores its captures itself, in a map by capture. */
export class Capture {
  readonly #parts: readonly Registered[]

  constructor(parts: readonly Registered[]) {
    this.#parts = parts
    for (const part of parts) part.storeIn(this)
  }

  /** Restores every captured value. A capture can be restored any number of times. */
  restore(): void {
    for (const part of this.#parts) part.restoreFrom(this)
  }
}

/** Owns the registered values of one chain, and the lock that requests take. */
export class ChainInstance {
  readonly lock = new Lock()
  /** Emitted before a capture is restored. */
  readonly reverting = new Emitter<undefined>()
  /** Emitted after a capture was restored. */
  readonly reverted = new Emitter<undefined>()
  readonly #registered: Registered[] = []

  /** Registers a cell. Its value is immutable and is replaced as a whole. */
  cell<T>(name: string, rule: RevertRule, value: T): Cell<T> {
    const cell = new Cell(value)
    this.#registered.push({
      name,
      rule,
      peek: () => cell.value,
      storeIn: (capture) => cell.storeIn(capture),
      restoreFrom: (capture) => (cell.value = cell.in(capture)),
    })
    return cell
  }

  /** Registers state that captures and restores itself. Tests read it with `peek` to detect changes. */
  registerCapturable<C>(
    name: string,
    state: Capturable<C>,
    { peek }: { readonly peek: () => unknown },
  ): Captured<C> {
    const held = new WeakMap<Capture, { readonly value: C }>()
    const captured = { in: (capture: Capture): C => present(held.get(capture), name).value }
    this.#registered.push({
      name,
      rule: 'restore',
      peek,
      storeIn: (capture) => void held.set(capture, { value: state.capture() }),
      restoreFrom: (capture) => state.restore(captured.in(capture)),
    })
    return captured
  }

  /** Captures every registered value that a revert restores. */
  capture(): Capture {
    return new Capture(this.#registered.filter(({ rule }) => rule === 'restore'))
  }

  /** Restores a capture of this chain instance. */
  restore(capture: Capture): void {
    this.reverting.emit(undefined)
    capture.restore()
    this.reverted.emit(undefined)
  }

  /** Runs work; if it fails with an error that `undoes` selects, restores what the work has changed. */
  atomically<T>(
    work: () => T | Promise<T>,
    undoes: (error: unknown) => boolean = () => true,
  ): T | Promise<T> {
    const before = this.capture()
    const values = this.peek()
    const undo = (error: unknown): never => {
      // A restore sends notifications and restarts the timer of blocks, so it is left out if there is nothing to restore.
      if (undoes(error) && haveChanged(values, this.peek())) this.restore(before)
      throw error
    }
    try {
      const result = work()
      return result instanceof Promise ? result.catch(undo) : result
    } catch (error) {
      return undo(error)
    }
  }

  /** Current values by name, to detect changes. */
  peek(): ReadonlyMap<string, unknown> {
    return new Map(this.#registered.map(({ name, peek }) => [name, peek()]))
  }

  /** Revert rule of a registered value, by name. */
  ruleOf(name: string): RevertRule {
    return present(
      this.#registered.find((cell) => cell.name === name),
      `cell ${name}`,
    ).rule
  }
}

const haveChanged = (before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): boolean =>
  [...before].some(([name, value]) => now.get(name) !== value)
