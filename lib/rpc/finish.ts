/** Finishes methods that pause. */

import type { Lock } from '../base/lock.ts'
import { PausedRoutine } from '../base/routine.ts'

/** The result of a method, which may continue after the lock is released. */
export const endOf = (result: unknown): unknown =>
  result instanceof PausedRoutine ? result.finish() : result

/** The result of a write, which ends before the lock is released. Reads run while it waits for data. */
export function endOfWrite(result: unknown, lock: Lock): unknown {
  if (result instanceof Promise) return result.then((value: unknown) => endOfWrite(value, lock))
  return lock.finish(result)
}
