/** What an instruction is to the machine. The core performs most; requests are performed by the files of instructions/. */

import type { Frame } from './frame.ts'
import type { Machine } from './machine.ts'

/** One instruction under the rules of a network. */
export interface Instruction {
  readonly name: string
  /** Words it takes from the stack. */
  readonly inputs: number
  /** Words it leaves. */
  readonly outputs: number
  /** The part of the cost that is always the same. */
  readonly gas: number
  /** Absent if the core performs it. */
  readonly request?: HostRequest
}

/** What the core asks its host to do. */
export interface HostRequest {
  /** The rest of the cost, worked out before anything is taken from the stack. @throws Halt */
  readonly dynamicGas?: DynamicGas
  /** What it does; the position already is that of the next instruction. @throws Halt */
  readonly run: Effect
}

export type DynamicGas = (frame: Frame, machine: Machine) => number

export type Effect = (frame: Frame, machine: Machine) => void

/** Instructions by opcode. */
export type Instructions = readonly (readonly [opcode: number, instruction: Instruction])[]

/** How many words it takes and leaves, and what it always costs. */
type Shape = readonly [inputs: number, outputs: number, gas: number]

/** An instruction with its opcode. */
export function instruction(
  opcode: number,
  name: string,
  [inputs, outputs, gas]: Shape,
  request?: HostRequest,
): readonly [number, Instruction] {
  return [
    opcode,
    request === undefined ? { name, inputs, outputs, gas } : { name, inputs, outputs, gas, request },
  ]
}
