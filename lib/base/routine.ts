/**
 * Work that can pause, such as a simulated call: a generator that yields a promise for each pause. Unlike an async function,
 * a routine that does not pause returns its result synchronously.
 */

import { invariant, present } from './invariant.ts'

/** Work with pauses. A promise that is rejected ends it. */
export type Routine<T> = Generator<Promise<void>, T, void>

/** A routine that has begun and is paused. */
export class PausedRoutine<T> {
  readonly #routine: Routine<T>
  readonly #pause: Promise<void>

  constructor(routine: Routine<T>, pause: Promise<void>) {
    this.#routine = routine
    this.#pause = pause
  }

  /** The same routine with a conversion of its result. */
  map<U>(convert: (result: T) => U): PausedRoutine<U> {
    return new PausedRoutine(converted(this.#routine, convert), this.#pause)
  }

  /** Runs the routine to its end; to be called once. */
  async finish(): Promise<T> {
    await this.#pause
    let step = this.#routine.next()
    while (step.done !== true) {
      await step.value
      step = this.#routine.next()
    }
    return step.value
  }
}

function* converted<T, U>(routine: Routine<T>, convert: (result: T) => U): Routine<U> {
  return convert(yield* routine)
}

/** Runs a routine to its first pause, or to its result. */
export function begin<T>(routine: Routine<T>): T | PausedRoutine<T> {
  const step = routine.next()
  return step.done === true ? step.value : new PausedRoutine(routine, step.value)
}

/** Runs a routine that has no reason to pause. */
export function runAtOnce<T>(routine: Routine<T>): T {
  const step = routine.next()
  invariant(step.done === true, 'a routine that must not pause was paused')
  return step.value
}

/** Runs a routine to its end. */
export async function runWithPauses<T>(routine: Routine<T>): Promise<T> {
  const result = begin(routine)
  return result instanceof PausedRoutine ? result.finish() : result
}

/** A function that begins a routine for its arguments. */
export const pausing =
  <Args extends readonly unknown[], T>(routine: (...args: Args) => Routine<T>) =>
  (...args: Args): T | PausedRoutine<T> =>
    begin(routine(...args))

/** Waits for a promise, in a routine. */
export function* waitFor<T>(promise: Promise<T>): Routine<T> {
  let settled: { readonly value: T } | undefined
  yield promise.then((value) => {
    settled = { value }
  })
  return present(settled, 'value of a promise').value
}
