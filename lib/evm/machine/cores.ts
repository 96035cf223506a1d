/** The instances of the core. A run takes one and gives it back; runs that are paused hold theirs. */

import { Core } from './core.ts'
import type { TableImage } from './table-image.ts'

/** Instances that wait for runs. One serves all runs that come one after another. */
const MAX_IDLE = 4

const idle: Core[] = []

/** Takes an instance with the rules of a run, if possible one that had them before. */
export function takeCore(image: TableImage): Core {
  const index = idle.findLastIndex((core) => core.has(image))
  const core = (index < 0 ? idle.pop() : idle.splice(index, 1)[0]) ?? new Core()
  core.begin(image)
  return core
}

/** Gives an instance back. One that has grown huge is left to the garbage collector, and so is one of a run that threw. */
export function giveCore(core: Core): void {
  if (idle.length < MAX_IDLE && !core.isHuge) idle.push(core)
}
