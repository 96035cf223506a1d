/* oxlint-disable no-restricted-globals -- the only file that measures the process */
/** Measures memory and processor time of the process, and knows its Node. */

import { getHeapStatistics } from 'node:v8'

/** Current memory of this process in bytes, and its processor time since the start in milliseconds. */
export function processUsage() {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { memory: { rss, heapUsed }, cpuMs: (user + system) / 1000 }
}

/** V8's heap, in bytes. */
export interface HeapUsage {
  readonly used: number
  /** Limit of the old objects, which fill the heap. V8 ends the process above it. */
  readonly limit: number
}

/**
 * Part of V8's limit for the young generation: three spaces of 64 MiB since V8 13 (Node 24), of 16 MiB before. Old objects cannot
 * use it.
 */
const YOUNG_GENERATION = 3 * 2 ** (Number.parseInt(process.versions.v8, 10) < 13 ? 24 : 26)

/** Current use of the heap. */
export function heapUsage(): HeapUsage {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return { used, limit: limit - YOUNG_GENERATION }
}

/** Memory of the process in bytes, by kind. */
export function usedMemory() {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return { heap, external, rss: process.memoryUsage.rss() }
}

/** The version of the Node that runs, such as `22.13.0`. */
export const ownNodeVersion = (): string => process.versions.node
