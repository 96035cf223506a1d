/** A chain instance: registers all mutable values of one chain (the default chain or a world) with their revert rules. */

import { Lock } from '../../base/lock.ts'
import { Emitter } from '../../base/events.ts'
import { invariant } from '../../base/invariant.ts'
import { converted, recovered, type Later } from '../../base/routine.ts'

export type RevertRule = 'restore' | 'keep'

/** Reads the value that a capture holds for one registered value. */
export interface Captured<C> {
  /** @throws InvariantError for a capture of a different chain instance */
  readonly in: (capture: Capture) => C
}

export interface Cell<T> extends Captured<T> {
  value: T
}

/** State that a service captures and restores itself, in time proportional to the changes. */
export interface Capturable<C> {
  /** Captures the current value in constant time. Later changes do not affect the captured value. */
  capture(): C
  restore(captured: C): void
}

/** A captured value. If the value does not change between two captures, they hold the same object. */
class Held<C> {
  readonly value: C
  readonly owner: Capturable<C>

  constructor(value: C, owner: Capturable<C>) {
    this.value = value
    this.owner = owner
  }
}

function capturedValues<C>(name: string, position: number, state: Capturable<C>) {
  /** The object captured last, as long as a capture holds it. */
  let lastHeld: WeakRef<Held<C>> | undefined
  const isOwn = (held: object | undefined): held is Held<C> => held instanceof Held && held.owner === state
  const valueIn = (capture: Capture): C => {
    const held = capture.held[position]
    invariant(isOwn(held), `a capture contains ${name}`)
    return held.value
  }
  return {
    in: valueIn,
    hold: (): object => {
      const value = state.capture()
      const last = lastHeld?.deref()
      if (last !== undefined && last.value === value) return last
      const held = new Held(value, state)
      lastHeld = new WeakRef(held)
      return held
    },
    restoreFrom: (capture: Capture): void => state.restore(valueIn(capture)),
  }
}

/** A capture of all registered values at one time, which can be restored any number of times. */
export interface Capture {
  /** In the order of registration. Values that were registered later are not in it. */
  readonly held: readonly object[]
}

/** Owns the registered values of one chain, and the lock that requests take. */
export class ChainInstance {
  readonly lock = new Lock()
  readonly reverting = new Emitter<undefined>()
  readonly reverted = new Emitter<undefined>()
  readonly replacing = new Emitter<undefined>()
  /** Captures that may still be restored. The chain keeps what they need. */
  readonly captures = new Set<Capture>()
  readonly #registered: { readonly name: string; readonly peek: () => unknown }[] = []
  readonly #restored: Pick<ReturnType<typeof capturedValues>, 'hold' | 'restoreFrom'>[] = []

  /** Registers a cell. Its value is immutable and is replaced as a whole. */
  cell<T>(name: string, rule: RevertRule, value: T): Cell<T> {
    const peek = (): T => cell.value
    const state = { capture: peek, restore: (restored: T) => void (cell.value = restored) }
    const captured = this.#register(name, state, peek)
    if (rule === 'restore') this.#restored.push(captured)
    const cell: Cell<T> = { value, in: captured.in }
    return cell
  }

  /** Registers state that captures and restores itself. Tests read it with `peek` to detect changes. */
  registerCapturable<C>(
    name: string,
    state: Capturable<C>,
    { peek }: { readonly peek: () => unknown },
  ): Captured<C> {
    const captured = this.#register(name, state, peek)
    this.#restored.push(captured)
    return captured
  }

  #register<C>(name: string, state: Capturable<C>, peek: () => unknown) {
    this.#registered.push({ name, peek })
    return capturedValues(name, this.#restored.length, state)
  }

  /** Captures every registered value that a revert restores. */
  capture(): Capture {
    return { held: this.#restored.map((restored) => restored.hold()) }
  }

  restore(capture: Capture): void {
    this.reverting.emit(undefined)
    for (const restored of this.#restored.slice(0, capture.held.length)) restored.restoreFrom(capture)
    this.reverted.emit(undefined)
  }

  /** Runs work; if it fails with an error that `undoes` selects, restores what the work has changed. */
  atomically<T>(work: () => Later<T>, undoes: (error: unknown) => boolean = () => true): Later<T> {
    const before = this.capture()
    this.captures.add(before)
    const values = this.peek()
    const done = (result: T): T => {
      this.captures.delete(before)
      return result
    }
    const undo = (error: unknown): never => {
      this.captures.delete(before)
      // A restore sends notifications and restarts the timer of blocks, so it is left out if there is nothing to restore.
      if (undoes(error) && haveChanged(values, this.peek())) this.restore(before)
      throw error
    }
    return recovered(() => converted(work(), done), undo)
  }

  peek(): ReadonlyMap<string, unknown> {
    return new Map(this.#registered.map(({ name, peek }) => [name, peek()]))
  }
}

const haveChanged = (before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): boolean =>
  [...before].some(([name, value]) => now.get(name) !== value)
