/* eslint-disable no-restricted-globals -- the only file that measures the process */
/** Measures memory and processor time of the process. */

import { getHeapStatistics } from 'node:v8'

/** Memory in bytes, processor time since the start in milliseconds. */
export interface ProcessUsage {
  readonly memory: { readonly rss: number; readonly heapUsed: number }
  readonly cpuMs: number
}

/** Current memory and processor time of this process. */
export function processUsage(): ProcessUsage {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { memory: { rss, heapUsed }, cpuMs: (user + system) / 1000 }
}

/** V8's heap, in bytes. */
export interface HeapUsage {
  readonly used: number
  /** V8 ends the process above it. */
  readonly limit: number
}

/** Current use of the heap. */
export function heapUsage(): HeapUsage {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return { used, limit }
}
