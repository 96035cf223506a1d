/** Runs of functions in a recording, and of their statements. */

import type { DebugFunction, DebugStatement } from './debug-function.ts'
import type { RecordedFrame } from './recording.ts'

/** A run of a function; or of the code of a contract outside of its functions, which each frame begins with. */
export interface Activation {
  /** The one that called it; of the first one of a frame, that of the calling frame. */
  readonly caller: Activation | undefined
  readonly frame: RecordedFrame
  /** Undefined for code outside of functions, and without sources. */
  readonly declared: DebugFunction | undefined
  /** Number of callers. */
  readonly depth: number
  /** Step of its first instruction, and the step after its last one. */
  readonly entered: number
  left: number
  /** Position of its first instruction in the code. */
  readonly pc: number
  /** Its visits, in order. */
  readonly visits: readonly Visit[]
}

/** The run of one statement. */
export interface Visit {
  readonly step: number
  readonly activation: Activation
  readonly statement: DebugStatement
  /** Whether instructions of earlier statements ran later: equal code of several statements is merged, so that either can be meant. */
  isDoubtful: boolean
  /** Whether no instruction of it was found, but of statements around it. */
  readonly isImplied: boolean
}

/** An activation that gets visits. */
export interface OpenActivation extends Activation {
  readonly visits: Visit[]
}

/**
 * The function that an activation runs for: with the IR pipeline, modifiers are functions of their own, and which the function calls,
 * and they call its body, which is another one. All others run for themselves.
 */
export function wholeOf(one: Activation): Activation {
  let outer = one.caller
  while (outer?.declared?.kind === 'modifier') outer = outer.caller
  if (outer?.declared === undefined) return one
  const isBody = outer !== one.caller && outer.declared === one.declared && outer.pc !== one.pc
  return isBody || one.declared?.kind === 'modifier' ? outer : one
}
