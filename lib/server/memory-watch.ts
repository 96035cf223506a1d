/**
 * Watches the heap of the process. V8 ends a process whose heap is full, and nothing can be done then: what is to be
 * said and saved has to be before.
 */

import type { Host } from '../base/host.ts'
import type { HeapUse } from './process-use.ts'

/** What the watch works with. */
export interface MemoryWatchParts {
  readonly host: Pick<Host, 'schedule'>
  readonly heapUse: () => HeapUse
  /** Called once when the heap becomes nearly full, and again only after it was below the limit. */
  readonly onNearlyFull: (sentence: string) => void
}

/** Milliseconds between two looks: a busy node fills the last tenth of a small heap in half a second. A look takes microseconds. */
const INTERVAL_MS = 100

/** Parts of the limit in use: at the first the heap is nearly full, below the second not any more. */
const NEARLY_FULL = 0.85
const RELAXED = 0.7

/** Bytes of the limit that new objects take, three spaces of 16 MB: the old ones, which fill up, may not use them. */
const YOUNG_GENERATION = 3 * 2 ** 24

/** Begins to watch; the returned function ends that. */
export function watchMemory({ host, heapUse, onNearlyFull }: MemoryWatchParts): () => void {
  let isTold = false
  let cancel: () => void = () => undefined
  const look = (): void => {
    cancel = host.schedule(INTERVAL_MS, look)
    const use = heapUse()
    const part = use.used / (use.limit - YOUNG_GENERATION)
    if (part < RELAXED) isTold = false
    if (part < NEARLY_FULL || isTold) return
    isTold = true
    onNearlyFull(sentence(use))
  }
  cancel = host.schedule(INTERVAL_MS, look)
  return () => cancel()
}

const BYTES_PER_MEGABYTE = 2 ** 20

function sentence({ used, limit }: HeapUse): string {
  const [usedMb, limitMb] = [used, limit].map((bytes) => Math.round(bytes / BYTES_PER_MEGABYTE))
  const cure = 'start it with NODE_OPTIONS=--max-old-space-size=<megabytes> for more'
  return `the memory is nearly full: ${usedMb} of ${limitMb} MB are used; the node ends when it is full; ${cure}`
}
