/** What the parts of a session read: an execution with the functions that it ran. */

import type { BlockContext } from '../../evm/block-context.ts'
import type { Activations } from './activations.ts'
import type { FailedFrame, Recording } from './recording.ts'
import type { UnknownValue, Value } from './values/value.ts'
import type { ViewCall } from './view-calls.ts'

/** An execution that a debugger steps through. */
export interface SteppedExecution {
  readonly recording: Recording
  readonly activations: Activations
  /** The block that it ran in. */
  readonly context: BlockContext
  /** Step of the first statement; 0 if no statement is known. */
  readonly first: number
  /** Reason of a failure in words. */
  readonly reasonOf: (failed: FailedFrame) => string
  /** Calls a function of a contract at a step, for an expression. @throws NodeError 'invalidParams' */
  callAt(step: number, call: ViewCall): Promise<Value | UnknownValue>
  /** Whether a condition holds in the innermost function at a step. @throws NodeError 'invalidParams' if it is wrong or not known */
  holds(step: number, condition: string): Promise<boolean>
  /** The text of a logpoint: expressions in braces are replaced by their values, or by what is wrong with them. */
  logText(step: number, text: string): Promise<string>
}
