/* oxlint-disable no-restricted-globals -- the only file that measures the process */
/** Measures memory and processor time of the process, and knows its Node. */

import { getHeapStatistics } from 'node:v8'

/** Current memory of this process in bytes, and its processor time since the start in milliseconds. */
export function processUsage() {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { memory: { rss, heapUsed }, cpuMs: (user + system) / 1000 }
}

export interface HeapUsage {
  readonly used: number
  /** Limit of the old objects, which fill the heap. V8 ends the process above it. */
  readonly limit: number
}

/** Part of V8's limit for the young generation, which old objects cannot use: three spaces, whose MiB depend on the Node. */
const YOUNG_GENERATION = 3 * 2 ** 20 * youngSpaceOf(Number.parseInt(process.versions.node, 10))

function youngSpaceOf(major: number): number {
  if (major < 24) return 16
  return major < 26 ? 64 : 32
}

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
