/**
 * Watches the memory of the process. V8 aborts a process whose heap is full, and no code can react to that, so the warning
 * and the state file must be written before. Memory above --max-memory is only reported.
 */

import type { Host } from '../base/host.ts'
import type { HeapUsage } from '../base/process-usage.ts'

/** Dependencies of the watch. */
export interface MemoryWatchDependencies {
  readonly host: Pick<Host, 'schedule'>
  readonly heapUsage: () => HeapUsage
  /** Called when the heap becomes nearly full; again only after it was below `RELAXED`. */
  readonly onNearlyFull: (sentence: string) => void
  /** Bytes that the process uses now. */
  readonly usedBytes: () => number
  /** Bytes to stay within (--max-memory). */
  readonly maxBytes: number
  /** Called when the process stays above it although old blocks are compressed; again only after it was clearly below. */
  readonly onAboveLimit: (sentence: string) => void
}

/** Milliseconds between checks. A busy node fills the last tenth of a small heap in half a second. */
const INTERVAL_MS = 100

/**
 * Used fractions of the limit: the heap is nearly full from the first on, until it is below the second. V8 aborts the
 * process after a few collections that leave more than 80 % of the limit in use (v8, `CheckIneffectiveMarkCompact`), and
 * writing the state file needs collections.
 */
const NEARLY_FULL = 0.75
const RELAXED = 0.65

/** Checks in which the lowest use counts: what is above it is garbage that a collection removed in between. */
const CHECKS_OF_LOWEST = 300

/** Fraction of --max-memory below which the process is clearly within it. */
const CLEARLY_WITHIN = 0.9

/** Starts the watch; the returned function ends it. */
export function watchMemory(dependencies: MemoryWatchDependencies): () => void {
  const { host, heapUsage, onNearlyFull } = dependencies
  const checkLimit = limitCheck(dependencies)
  let isWarned = false
  let cancel: () => void = () => undefined
  const check = (): void => {
    cancel = host.schedule(INTERVAL_MS, check)
    checkLimit()
    const usage = heapUsage()
    const part = usage.used / usage.limit
    if (part < RELAXED) isWarned = false
    if (part < NEARLY_FULL || isWarned) return
    isWarned = true
    onNearlyFull(sentence(usage))
  }
  cancel = host.schedule(INTERVAL_MS, check)
  return () => cancel()
}

/** The check for memory above the limit, to be called at each interval. */
function limitCheck({ usedBytes, maxBytes, onAboveLimit }: MemoryWatchDependencies): () => void {
  let isWarned = false
  let checks = 0
  let lowest = Infinity
  return () => {
    lowest = Math.min(lowest, usedBytes())
    if (++checks % CHECKS_OF_LOWEST !== 0) return
    if (lowest > maxBytes && !isWarned) onAboveLimit(limitSentence(lowest, maxBytes))
    isWarned = lowest > maxBytes || (isWarned && lowest > maxBytes * CLEARLY_WITHIN)
    lowest = Infinity
  }
}

const BYTES_PER_MEGABYTE = 2 ** 20
const megabytes = (bytes: number): number => Math.round(bytes / BYTES_PER_MEGABYTE)

const limitSentence = (used: number, limit: number): string =>
  `the node takes ${megabytes(used)} MB, more than the ${megabytes(limit)} MB of --max-memory: its chains do not fit even with old blocks compressed; it goes on; dev_memory tells what takes the memory`

function sentence({ used, limit }: HeapUsage): string {
  const [usedMb, limitMb] = [used, limit].map(megabytes)
  const cure = 'start it with NODE_OPTIONS=--max-old-space-size=<megabytes> for more'
  return `the memory is nearly full: ${usedMb} of ${limitMb} MB are used; the node ends when it is full; ${cure}`
}
