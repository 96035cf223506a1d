/**
 * The pool of core instances. An execution takes an instance and returns it at its end; a paused execution keeps its
 * instance.
 */

import { Core } from './core.ts'
import type { CoreTables } from './core-tables.ts'

/** Maximum number of idle instances. Executions one after another need only one. */
const MAX_IDLE = 4

const idle: Core[] = []

/** Takes an instance and loads the tables of a network into it; prefers an instance that has them already. */
export function takeCore(image: CoreTables): Core {
  const core = exchanged(idle.pop() ?? new Core(), image)
  core.begin(image)
  return core
}

/** Exchanges an instance for an idle one that has the tables in its memory, if there is one. */
function exchanged(core: Core, image: CoreTables): Core {
  if (core.has(image)) return core
  const index = idle.findLastIndex((other) => other.has(image))
  const found = idle[index]
  if (found === undefined) return core
  idle[index] = core
  return found
}

/** Returns an instance to the pool. A huge one is dropped. */
export function giveCore(core: Core): void {
  if (idle.length < MAX_IDLE && !core.isHuge) idle.push(core)
}
