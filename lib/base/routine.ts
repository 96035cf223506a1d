/**
 * Work that can pause, such as a simulated call: a generator that yields a promise for each pause. Unlike an async function,
 * a routine that does not pause returns its result synchronously.
 */

import { present } from './invariant.ts'
import { NotLoadedError } from './not-loaded.ts'

/** Work with pauses. A promise that is rejected throws its reason at the pause. */
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
    return this.#within((rest) => converted(rest, convert))
  }

  /** The same routine with a result instead of an error. */
  recover<U>(handle: (error: unknown) => U): PausedRoutine<T | U> {
    return this.#within((rest) => recovered(rest, handle))
  }

  /** A routine around this one, at the same pause. */
  #within<U>(around: (rest: Routine<T>) => Routine<U>): PausedRoutine<U> {
    const routine = around(resumed(this.#routine, this.#pause))
    routine.next()
    return new PausedRoutine(routine, this.#pause)
  }

  /** Runs the routine to its end; to be called once. `during` can do other work during each pause. */
  async finish(during: (pause: Promise<void>) => Promise<void> = (pause) => pause): Promise<T> {
    let step = await continued(this.#routine, during(this.#pause))
    while (step.done !== true) step = await continued(this.#routine, during(step.value))
    return step.value
  }
}

/** Waits for the end of a pause and runs the routine to the next one. */
async function continued<T>(
  routine: Routine<T>,
  pause: Promise<void>,
): Promise<IteratorResult<Promise<void>, T>> {
  try {
    await pause
  } catch (error) {
    return routine.throw(error)
  }
  return routine.next()
}

function* resumed<T>(routine: Routine<T>, pause: Promise<void>): Routine<T> {
  let step: IteratorResult<Promise<void>, T> = { value: pause }
  while (step.done !== true) step = yield* afterPause(routine, step.value)
  return step.value
}

function* afterPause<T>(
  routine: Routine<T>,
  pause: Promise<void>,
): Generator<Promise<void>, IteratorResult<Promise<void>, T>, void> {
  try {
    yield pause
  } catch (error) {
    return routine.throw(error)
  }
  return routine.next()
}

function* recovered<T, U>(routine: Routine<T>, handle: (error: unknown) => U): Routine<T | U> {
  try {
    return yield* routine
  } catch (error) {
    return handle(error)
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

/** Thrown at a pause of a routine that is not continued. */
export class RoutineEndedError extends Error {}

/**
 * Runs a routine whose only reason to pause is that it loads data.
 * @throws NotLoadedError instead of the pause; the routine is then ended
 */
export function runAtOnce<T>(routine: Routine<T>): T {
  const step = routine.next()
  if (step.done === true) return step.value
  const loading = step.value
  // The promise is waited for by the code that catches the error below, if at all.
  loading.catch(() => undefined)
  end(routine)
  throw new NotLoadedError('what a routine waits for', () => loading)
}

/** Ends a paused routine, so that it releases what it holds. */
function end(routine: Routine<unknown>): void {
  try {
    routine.throw(new RoutineEndedError('the routine was ended at a pause'))
  } catch (error) {
    if (!(error instanceof RoutineEndedError)) throw error
  }
}

export async function runWithPauses<T>(routine: Routine<T>): Promise<T> {
  const result = begin(routine)
  return result instanceof PausedRoutine ? result.finish() : result
}

/** A function that begins a routine for its arguments. */
export const pausing =
  <Args extends readonly unknown[], T>(routine: (...args: Args) => Routine<T>) =>
  (...args: Args): T | PausedRoutine<T> =>
    begin(routine(...args))

export function* waitFor<T>(promise: Promise<T>): Routine<T> {
  let settled: { readonly value: T } | undefined
  yield promise.then((value) => {
    settled = { value }
  })
  return present(settled, 'value of a promise').value
}
