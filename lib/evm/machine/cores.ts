/** The pool of core instances. A run takes one and returns it at its end; a paused run keeps its own. */

import { Core } from './core.ts'
import type { TableImage } from './table-image.ts'

/** Maximum number of idle instances. Runs that follow one another need only one. */
const MAX_IDLE = 4

const idle: Core[] = []

/** Takes an instance for the tables of a run, preferably one that has them already. */
export function takeCore(image: TableImage): Core {
  const index = idle.findLastIndex((core) => core.has(image))
  const core = (index < 0 ? idle.pop() : idle.splice(index, 1)[0]) ?? new Core()
  core.begin(image)
  return core
}

/** Returns an instance to the pool. A huge one is dropped; one of a run that threw is never returned. */
export function giveCore(core: Core): void {
  if (idle.length < MAX_IDLE && !core.isHuge) idle.push(core)
}
