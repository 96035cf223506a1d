/* eslint-disable no-restricted-globals -- the one look at the process */
/** What the process uses. */

import { getHeapStatistics } from 'node:v8'

/** Memory in bytes, processor time since the start in milliseconds. */
export interface ProcessUse {
  readonly memory: { readonly rss: number; readonly heapUsed: number }
  readonly cpuMs: number
}

/** Reads what this process uses now. */
export function processUse(): ProcessUse {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { memory: { rss, heapUsed }, cpuMs: (user + system) / 1000 }
}

/** Bytes of V8's heap. */
export interface HeapUse {
  readonly used: number
  /** V8 ends the process beyond it. */
  readonly limit: number
}

/** Reads how full the heap is. */
export function heapUse(): HeapUse {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return { used, limit }
}
