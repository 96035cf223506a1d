/** Instructions of the EVM. Most are in the core; those that need accounts or other frames are in instructions/. */

import type { Execution } from './execution.ts'
import type { FrameInput } from './frame-input.ts'
import type { Frame } from './frame.ts'

/** One instruction under the rules of a network. */
export interface Instruction {
  readonly name: string
  /** Words that it pops. */
  readonly inputs: number
  /** Words that it pushes. */
  readonly outputs: number
  /** The constant gas. */
  readonly gas: number
  /** Absent if the core performs it. */
  readonly request?: RequestHandler
}

/** The functions of an instruction that the core does not perform: it stops there and requests it from the machine. */
export interface RequestHandler {
  /**
   * Reads what the instruction reads of accounts and blocks, so that it does not stop halfway for something that has to be
   * loaded. It is called on partial states only. @throws NotLoadedError
   */
  readonly prepare?: (frame: Frame, execution: Execution) => void
  /** The dynamic gas, computed before the operands are popped. @throws Halt */
  readonly dynamicGas?: DynamicGas
  /** Performs the instruction. Returns the call or creation that it makes; SELFDESTRUCT ends the frame. @throws Halt */
  readonly run: (frame: Frame, execution: Execution) => FrameInput | 'destroyed' | undefined
}

export type DynamicGas = (frame: Frame, execution: Execution) => number

export type Instructions = readonly (readonly [opcode: number, instruction: Instruction])[]

/** Words that an instruction pops and pushes, and its constant gas. */
export type Shape = readonly [inputs: number, outputs: number, gas: number]

export function instruction(
  opcode: number,
  name: string,
  [inputs, outputs, gas]: Shape,
  request?: RequestHandler,
): readonly [number, Instruction] {
  return [
    opcode,
    request === undefined ? { name, inputs, outputs, gas } : { name, inputs, outputs, gas, request },
  ]
}

/** Gas of an instruction that the machine performs. It is not charged here. @throws Halt; NotLoadedError before any change */
export function gasOf({ gas, request }: Instruction, frame: Frame, execution: Execution): number {
  if (execution.state.source !== undefined) request?.prepare?.(frame, execution)
  return gas + (request?.dynamicGas?.(frame, execution) ?? 0)
}
