/**
 * Instructions of the EVM. The core performs most of them; the files of instructions/ perform those that need accounts or
 * other frames.
 */

import type { Frame } from './frame.ts'
import type { Machine } from './machine.ts'

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
  readonly prepare?: Effect
  /** The dynamic gas, computed before the operands are popped. @throws Halt */
  readonly dynamicGas?: DynamicGas
  /** Performs the instruction. The position is already that of the next instruction. @throws Halt */
  readonly run: Effect
}

export type DynamicGas = (frame: Frame, machine: Machine) => number

export type Effect = (frame: Frame, machine: Machine) => void

/** Instructions by opcode. */
export type Instructions = readonly (readonly [opcode: number, instruction: Instruction])[]

/** Words that an instruction pops and pushes, and its constant gas. */
type Shape = readonly [inputs: number, outputs: number, gas: number]

/** An instruction with its opcode. */
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
