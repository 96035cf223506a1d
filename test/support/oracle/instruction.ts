/** The definition of an instruction. The groups of instructions are in the files of instructions/. */

import type { Frame } from './frame.ts'
import type { Machine } from './machine.ts'

/** One instruction under the rules of a network. */
export interface Instruction {
  readonly name: string
  /** Number of words that it pops from the stack. */
  readonly inputs: number
  /** Number of words that it pushes. */
  readonly outputs: number
  /** The constant part of the cost. */
  readonly gas: number
  /** The dynamic part of the cost, computed before the operands are popped. @throws Halt */
  readonly dynamicGas: DynamicGas | undefined
  /** Runs it; the program counter is already that of the next instruction. @throws Halt */
  readonly run: Effect
}

export type DynamicGas = (frame: Frame, machine: Machine) => number

export type Effect = (frame: Frame, machine: Machine) => void

/** Instructions by opcode. */
export type Instructions = readonly (readonly [opcode: number, instruction: Instruction])[]

/** The numbers of popped and pushed words, and the constant cost. */
type Shape = readonly [inputs: number, outputs: number, gas: number]

/** An instruction with its opcode. */
export function instruction(
  opcode: number,
  name: string,
  [inputs, outputs, gas]: Shape,
  { run, dynamicGas }: { readonly run: Effect; readonly dynamicGas?: DynamicGas },
): readonly [number, Instruction] {
  return [opcode, { name, inputs, outputs, gas, dynamicGas, run }]
}
