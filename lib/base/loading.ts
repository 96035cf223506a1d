/** Loads the data that reads need, and reads again. */

import { NotLoadedError } from './not-loaded.ts'
import type { Routine } from './routine.ts'

/** Calls functions that only read, until all their data is loaded. Their data is loaded together. */
export function* loadFor(reads: readonly (() => unknown)[]): Routine<void> {
  for (let left = reads; left.length > 0;) {
    const missing: (() => unknown)[] = []
    const loads: Promise<void>[] = []
    for (const read of left) {
      const error = notLoadedBy(read)
      if (error === undefined) continue
      missing.push(read)
      loads.push(error.load())
    }
    left = missing
    if (loads.length > 0) yield Promise.all(loads).then(() => undefined)
  }
}

/** Runs work that changes nothing before it throws `NotLoadedError`, and runs it again after each load. */
export function* whenLoaded<T>(work: () => Routine<T>): Routine<T> {
  for (;;) {
    try {
      return yield* work()
    } catch (error) {
      if (!(error instanceof NotLoadedError)) throw error
      yield error.load()
    }
  }
}

/** Whether a function that only reads finds its data in memory. */
export const isLoaded = (read: () => unknown): boolean => notLoadedBy(read) === undefined

/** Runs work again after each load that it needs. It throws `NotLoadedError` only before it changes anything. */
export async function untilLoaded<T>(work: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NotLoadedError)) throw error
      await error.load()
    }
  }
}

function notLoadedBy(read: () => unknown): NotLoadedError | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof NotLoadedError) return error
    throw error
  }
}
