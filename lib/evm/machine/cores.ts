/** The instances of the core. A run takes one and gives it back; runs that are paused hold theirs. */

import { Core } from './core.ts'
import type { TableImage } from './table-image.ts'

/** Instances that wait for runs. One serves all runs that come one after another. */
const MAX_IDLE = 4

const idle: Core[] = []

/** Takes an instance with the rules of a run, if possible one that had them before. */
export function takeCore(image: TableImage): Core {
  const core = exchanged(idle.pop() ?? new Core(), image)
  core.begin(image)
  return core
}

/** An idle instance that had the rules instead of one that had not. */
function exchanged(core: Core, image: TableImage): Core {
  if (core.has(image)) return core
  const index = idle.findLastIndex((other) => other.has(image))
  const found = idle[index]
  if (found === undefined) return core
  idle[index] = core
  return found
}

/** Gives an instance back. One that has grown huge is left to the garbage collector. */
export function giveCore(core: Core): void {
  if (idle.length < MAX_IDLE && !core.isHuge) idle.push(core)
}
