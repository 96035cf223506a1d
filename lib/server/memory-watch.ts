/**
 * Watches the memory of the process. V8 aborts a process whose heap is full, and no code can react to that, so the warning
 * and the state file must be written before.
 */

import type { Host } from '../base/host.ts'
import type { HeapUsage } from '../base/process-usage.ts'

export interface MemoryWatchDependencies {
  readonly host: Pick<Host, 'schedule'>
  readonly heapUsage: () => HeapUsage
  /** Called when the heap becomes nearly full; again only after it was below `RELAXED`. */
  readonly onNearlyFull: (sentence: string) => void
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

/** Starts the watch; the returned function ends it. */
export function watchMemory({ host, heapUsage, onNearlyFull }: MemoryWatchDependencies): () => void {
  let isWarned = false
  let cancel: () => void = () => undefined
  const check = (): void => {
    cancel = host.schedule(INTERVAL_MS, check)
    const usage = heapUsage()
    const part = usage.used / usage.limit
    if (part < RELAXED) isWarned = false
    if (part < NEARLY_FULL || isWarned) return
    isWarned = true
    const [usedMb, limitMb] = [usage.used, usage.limit].map(megabytes)
    onNearlyFull(
      `the memory is nearly full: ${usedMb} of ${limitMb} MB are used; the node ends when it is full; start it with NODE_OPTIONS=--max-old-space-size=<megabytes> for more`,
    )
  }
  cancel = host.schedule(INTERVAL_MS, check)
  return () => cancel()
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
