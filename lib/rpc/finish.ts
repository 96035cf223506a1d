/** Finishes methods that pause, or that need data which has to be loaded. */

import { NodeError } from '../base/errors.ts'
import type { Lock } from '../base/lock.ts'
import { NotLoadedError } from '../base/not-loaded.ts'
import { PausedRoutine } from '../base/routine.ts'

/**
 * Runs a method to its end, part of which may come after the lock is released, and again after each load that it needs. Whether
 * the chain is a fork is not asked before: a reset that is under way may make it one. A new attempt gets the error of that load.
 */
export function runToEnd(attempt: Attempt, after?: NotLoadedError): unknown {
  try {
    const result = endOf(attempt(after))
    return result instanceof Promise ? settled(result, attempt) : result
  } catch (error) {
    return afterLoad(error, attempt)
  }
}

type Attempt = (after?: NotLoadedError) => unknown

async function settled(result: Promise<unknown>, attempt: Attempt): Promise<unknown> {
  try {
    return await endOf(await result)
  } catch (error) {
    return afterLoad(error, attempt)
  }
}

function afterLoad(error: unknown, attempt: Attempt): Promise<unknown> {
  if (!(error instanceof NotLoadedError)) throw error
  return error.load().then(() => runToEnd(attempt, error))
}

const endOf = (result: unknown): unknown => (result instanceof PausedRoutine ? result.finish() : result)

/** The result of a write, which ends before the lock is released. Reads run while it waits for data. */
export function endOfWrite(result: unknown, lock: Lock): unknown {
  if (result instanceof Promise) return result.then((value: unknown) => endOfWrite(value, lock))
  return lock.finish(result)
}

/** Whether data has to be loaded or cannot be loaded. What a write changed before such an error is undone. */
export const isLoadError = (error: unknown): boolean =>
  error instanceof NotLoadedError || (error instanceof NodeError && error.kind === 'remoteFailed')
