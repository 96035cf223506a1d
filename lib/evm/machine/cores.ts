/**
 * The pool of core instances. An execution takes an instance and returns it at its end; a paused execution keeps its
 * instance.
 */

import { Core } from './core.ts'

/** Maximum number of idle instances. Executions one after another need only one. */
const MAX_IDLE = 4

const idle: Core[] = []

/** Takes an instance with the tables of a network; prefers one that has them already. */
export function takeCore(image: Uint8Array): Core {
  const index = idle.findLastIndex((core) => core.has(image))
  const core = idle.splice(index, 1)[0] ?? new Core()
  core.begin(image)
  return core
}

/** Returns an instance to the pool. A huge one is dropped. */
export function giveCore(core: Core): void {
  if (idle.length < MAX_IDLE && !core.isHuge) idle.push(core)
}
