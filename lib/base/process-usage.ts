/* eslint-disable no-restricted-globals -- the only file that measures the process */
/** Measures memory and processor time of the process. */

import { totalmem } from 'node:os'
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

/** Bytes that the process uses now: V8's heap and what its objects hold outside of it. Some may be garbage. */
export function usedBytes(): number {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics()
  return used + external
}

/** Memory of the process in bytes, by kind. */
export function usedMemory(): { readonly heap: number; readonly external: number; readonly rss: number } {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return { heap, external, rss: process.memoryUsage.rss() }
}

/** Default of --max-memory in bytes: a quarter of what the machine or its container has, at most 2 GB. */
export function defaultMemory(): number {
  // Without a limit of the container it is 0, or a number above every memory.
  const limit = process.constrainedMemory()
  const available = limit === 0 ? totalmem() : Math.min(totalmem(), limit)
  return Math.min(Math.floor(available / 4), MAX_DEFAULT_MEMORY)
}

const MAX_DEFAULT_MEMORY = 2 * 2 ** 30
