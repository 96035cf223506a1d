/** Measures the memory of this process without garbage. */

import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'

const MEGABYTE = 2 ** 20

/** Memory in megabytes. */
export interface Memory {
  readonly heap: number
  readonly external: number
  readonly rss: number
}

/** Bytes of the heap after garbage was collected; finalizers and weak references need several turns. Needs --expose-gc. */
export async function heapWithoutGarbage(): Promise<number> {
  for (let turn = 0; turn < 4; turn++) {
    await setImmediate()
    globalThis.gc?.()
  }
  return getHeapStatistics().used_heap_size
}

/** The memory without garbage. */
export async function memoryWithoutGarbage(): Promise<Memory> {
  const heap = await heapWithoutGarbage()
  const external = getHeapStatistics().external_memory
  return { heap: heap / MEGABYTE, external: external / MEGABYTE, rss: process.memoryUsage.rss() / MEGABYTE }
}
