/** Finishes methods that pause. */

import { NodeError } from '../base/errors.ts'
import type { Lock } from '../base/lock.ts'
import { NotLoadedError } from '../base/not-loaded.ts'
import { PausedRoutine } from '../base/routine.ts'

/** The result of a method, which may continue after the lock is released. */
export const endOf = (result: unknown): unknown =>
  result instanceof PausedRoutine ? result.finish() : result

/** The result of a write, which ends before the lock is released. Reads run while it waits for data. */
export function endOfWrite(result: unknown, lock: Lock): unknown {
  if (result instanceof Promise) return result.then((value: unknown) => endOfWrite(value, lock))
  return lock.finish(result)
}

/** Whether data has to be loaded or cannot be loaded. What a write changed before such an error is undone. */
export const isLoadError = (error: unknown): boolean =>
  error instanceof NotLoadedError || (error instanceof NodeError && error.kind === 'remoteFailed')
