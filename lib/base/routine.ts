/**
 * Work that may have to wait: to let other requests run (a pause), or for data of a fork that is not in memory yet (a load).
 *
 * A routine is a generator that yields a promise for each pause. If it does not pause, its result is there synchronously, which an
 * async function cannot do. A read whose data is not in memory throws `NotLoadedError`. Whoever can wait loads the data and reads
 * again.
 *
 * ```ts
 * function* rich(addresses: readonly Address[]): Routine<readonly Address[]> {
 *   yield* waitFor(nextTurn())                                             // a promise
 *   yield* waitFor(together(addresses.map((one) => () => balanceOf(one)))) // reads, again after each load
 *   return addresses.filter((one) => balanceOf(one) > 0n)
 * }
 * await finish(rich(addresses))      // the result; a promise of it only if there was a pause
 * await finish(() => balanceOf(one)) // a read, again after each load
 * runAtOnce(rich(addresses))         // for callers that cannot wait: throws NotLoadedError instead of the first pause
 * ifLoaded(() => balanceOf(one))     // for callers that do without the data: undefined if it is not in memory
 * ```
 */

import { present } from './invariant.ts'

/** Work with pauses. If the promise of a pause is rejected, the routine throws its reason there. */
export type Routine<T> = Generator<Promise<void>, T, void>

/** A result that is available now or later. */
export type Later<T> = T | Promise<T> | Routine<T>

/** Work that runs again after each load, with the error before it. It throws `NotLoadedError` only before it changes anything. */
export type Attempt<T> = (after?: NotLoadedError) => Later<T>

/** A read throws this if its data must be loaded first. The read has changed nothing. */
export class NotLoadedError extends Error {
  readonly load: () => Promise<void>

  /** `what` names the data for developers. */
  constructor(what: string, load: () => Promise<void>) {
    super(`not loaded: ${what}`)
    this.name = 'NotLoadedError'
    this.load = load
  }
}

export const isRoutine = <T>(value: Later<T>): value is Routine<T> =>
  Object.prototype.toString.call(value) === '[object Generator]'

/** Waits for a promise, or runs work to its end and loads the data it needs. */
export function* waitFor<T>(work: Promise<T> | Attempt<T>): Routine<T> {
  if (work instanceof Promise) return yield* settled(work)
  for (let after: NotLoadedError | undefined; ; yield after.load()) {
    try {
      const result = work(after)
      if (isRoutine(result)) return yield* result
      return result instanceof Promise ? yield* settled(result) : result
    } catch (error) {
      if (!(error instanceof NotLoadedError)) throw error
      after = error
    }
  }
}

function* settled<T>(promise: Promise<T>): Routine<T> {
  let end: { readonly value: T } | undefined
  yield promise.then((value) => {
    end = { value }
  })
  return present(end, 'value of a promise').value
}

/** Runs a routine or other work to its end. `during` can do something else during each pause. */
export function finish<T>(
  work: Routine<T> | Attempt<T>,
  during = (pause: Promise<void>): Promise<void> => pause,
): T | Promise<T> {
  const routine = typeof work === 'function' ? waitFor(work) : work
  const step = routine.next()
  return step.done === true ? step.value : continued(routine, step, during)
}

async function continued<T>(
  routine: Routine<T>,
  first: IteratorResult<Promise<void>, T>,
  during: (pause: Promise<void>) => Promise<void>,
): Promise<T> {
  let step = first
  while (step.done !== true) {
    try {
      await during(step.value)
      step = routine.next()
    } catch (error) {
      // A routine that has ended with this error throws it again.
      step = routine.throw(error)
    }
  }
  return step.value
}

/** Runs a routine that may pause only to load data. @throws NotLoadedError at the first pause, which ends the routine */
export function runAtOnce<T>(routine: Routine<T>): T {
  const step = routine.next()
  if (step.done === true) return step.value
  const loading = step.value
  // The promise is waited for by the code that catches the error below, if at all.
  loading.catch(() => undefined)
  const ended: Iterator<Promise<void>, T> = routine
  ended.return?.()
  throw new NotLoadedError('what a routine waits for', () => loading)
}

/** Runs a routine without its pauses, for callers that cannot wait. The pauses may only let other work run. */
export function runThrough<T>(routine: Routine<T>): T {
  let step = routine.next()
  while (step.done !== true) step = routine.next()
  return step.value
}

/** The value of a read; undefined if its data is not in memory. */
export function ifLoaded<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof NotLoadedError) return undefined
    throw error
  }
}

/** Combines several reads, so that their data is loaded together. Each function is called again until its data is loaded. */
export function together(reads: readonly (() => unknown)[]): () => void {
  let left = reads
  return () => {
    const errors: NotLoadedError[] = []
    left = left.filter((read) => {
      try {
        read()
        return false
      } catch (error) {
        if (!(error instanceof NotLoadedError)) throw error
        return errors.push(error) > 0
      }
    })
    if (errors.length === 0) return
    throw new NotLoadedError(`${errors.length} reads`, async () => {
      await Promise.all(errors.map((error) => error.load()))
    })
  }
}

export function converted<T, U>(result: Later<T>, convert: (value: T) => U): Later<U> {
  if (isRoutine(result)) return convertedRoutine(result, convert)
  return result instanceof Promise ? result.then(convert) : convert(result)
}

function* convertedRoutine<T, U>(routine: Routine<T>, convert: (value: T) => U): Routine<U> {
  return convert(yield* routine)
}

/** Handles an error of work: returns what `handle` returns, or throws what it throws. */
export function recovered<T, U>(attempt: () => Later<T>, handle: (error: unknown) => U): Later<T | U> {
  try {
    const result = attempt()
    if (isRoutine(result)) return recoveredRoutine(result, handle)
    return result instanceof Promise ? result.catch(handle) : result
  } catch (error) {
    return handle(error)
  }
}

function* recoveredRoutine<T, U>(routine: Routine<T>, handle: (error: unknown) => U): Routine<T | U> {
  try {
    return yield* routine
  } catch (error) {
    return handle(error)
  }
}
