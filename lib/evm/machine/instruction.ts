/** Instructions of the EVM. Most are in the core; those that need accounts or other frames are in instructions/. */

import type { Execution } from './execution.ts'
import type { FrameInput } from './frame-input.ts'
import type { Frame } from './frame.ts'

export interface Instruction {
  readonly name: string
  /** Words that it pops. */
  readonly inputs: number
  /** Words that it pushes. */
  readonly outputs: number
  readonly gas: number
  /** Absent if the core performs it. */
  readonly request?: RequestHandler
}

/** How the machine performs an instruction that the core requests from it. */
export interface RequestHandler {
  /**
   * Reads in advance what the instruction will read of accounts and blocks, so that it cannot stop halfway to load data. Called on
   * partial states only. @throws NotLoadedError
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

/** Gas of an instruction that the machine performs, without charging it. @throws Halt; NotLoadedError before any change */
export function gasOf({ gas, request }: Instruction, frame: Frame, execution: Execution): number {
  if (execution.state.source !== undefined) request?.prepare?.(frame, execution)
  return gas + (request?.dynamicGas?.(frame, execution) ?? 0)
}
