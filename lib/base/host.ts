/** The host environment: wall clock, randomness and timers. Tests replace it. */

import { randomBytes } from 'node:crypto'

/** Everything that can make two runs of the same program differ. */
export interface Host {
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds since a fixed moment, for durations. It never goes back, also when the wall clock is set back. */
  readonly elapsed: () => number
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /** Calls the task after the delay, unless the returned function is called before. It does not keep the process alive. */
  readonly schedule: (delayMs: number, task: () => void) => () => void
  /** Environment variables: they name proxies, and show whether this is continuous integration. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export const realHost: Host = {
  // oxlint-disable-next-line no-restricted-globals -- the only use of the wall clock
  now: () => Date.now(),
  elapsed: () => performance.now(),
  random: (length) => new Uint8Array(randomBytes(length)),
  schedule: (delayMs, task) => {
    // oxlint-disable-next-line no-restricted-globals -- the only timer of a chain
    const timer = setTimeout(task, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
  // oxlint-disable-next-line no-restricted-globals -- the variables of the environment
  env: process.env,
}

/** Resolves after pending callbacks of sockets and files have run. Reads no clock, so tests need not replace it. */
export function nextTurn(): Promise<void> {
  // oxlint-disable-next-line no-restricted-globals -- the only place that yields to the event loop
  return new Promise((resolve) => setImmediate(resolve))
}

/** A time in milliseconds since the epoch as text (ISO 8601). */
// oxlint-disable-next-line no-restricted-globals -- formats a time, reads no clock
export const timeText = (timeMs: number): string => new Date(timeMs).toISOString()

/** The time of a date in text, in milliseconds since the epoch; undefined if the text is no date. */
export function readTime(text: string): number | undefined {
  // oxlint-disable-next-line no-restricted-globals -- reads a text, not the clock
  const timeMs = Date.parse(text)
  return Number.isNaN(timeMs) ? undefined : timeMs
}

/** Keeps the process alive until the returned function is called, which a task of `Host.schedule` does not do. */
export function keepAlive(): () => void {
  // oxlint-disable-next-line no-restricted-globals -- a timer whose task does nothing
  const timer = setInterval(() => undefined, LONGEST_TIMER_MS)
  return () => clearInterval(timer)
}

const LONGEST_TIMER_MS = 2 ** 31 - 1
