/** Counts the basic blocks of all executions of an engine. Unlike an observer, it does not belong to one execution. */

import type { Rules } from './rules/rules.ts'

/** Counts the runs of one code. */
export interface CodeMonitor {
  /** Basic blocks that a frame entered, as positions of their first instructions; valid until the method returns. */
  count(blocks: Uint32Array): void
  /** An exception ended a frame at this instruction: the rest of its basic block did not run. */
  halt(position: number): void
}

/** Code that a frame runs. */
export interface RunningCode {
  /** Code of an account is the same array at each of its runs. Init code has the arguments of the constructor at its end. */
  readonly code: Uint8Array
  readonly isCreation: boolean
  readonly rules: Rules
}

/** Counts executions by code. */
export interface ExecutionMonitor {
  /** The monitor of a code. Init code is valid until the method returns. */
  monitorOf(running: RunningCode): CodeMonitor
}

/** Returns the monitor of the executions that begin now; undefined if they are not counted. */
export type CurrentMonitor = () => ExecutionMonitor | undefined
