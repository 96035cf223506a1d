/* eslint-disable no-restricted-globals -- the one look at the process */
/** What the process uses. */

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
