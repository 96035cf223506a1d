/** The only window to what is outside the machine: wall clock, randomness and timers. Tests put their own in its place. */

import { randomBytes } from 'node:crypto'

/** Sources that differ between two runs of the same program. */
export interface Host {
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /** Calls the task after the delay unless the returned function is called before; does not keep the process alive. */
  readonly schedule: (delayMs: number, task: () => void) => () => void
}

/** The real clock, randomness and timers. */
export const realHost: Host = {
  // eslint-disable-next-line no-restricted-globals -- the one reading of the wall clock
  now: () => Date.now(),
  random: (length) => new Uint8Array(randomBytes(length)),
  schedule: (delayMs, task) => {
    // eslint-disable-next-line no-restricted-globals -- the one timer
    const timer = setTimeout(task, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Resolves once everything else that waits has had its turn. Reads no clock, so that tests need no other. */
export function nextTurn(): Promise<void> {
  // eslint-disable-next-line no-restricted-globals -- the one place that lets the event loop go round
  return new Promise((resolve) => setImmediate(resolve))
}

/** A moment in milliseconds since the epoch, as people write it (ISO 8601). */
// eslint-disable-next-line no-restricted-globals -- writes a moment, reads no clock
export const timeText = (moment: number): string => new Date(moment).toISOString()
