/** What an observer is told of an instruction before it runs. */

import type { Step } from '../observer.ts'
import type { Frame } from './frame.ts'
import { Halt, INVALID_OPCODE, OUT_OF_GAS, STACK_OVERFLOW, STACK_UNDERFLOW } from './halt.ts'
import type { Instruction } from './instruction.ts'
import type { Machine } from './machine.ts'
import type { InstructionTable } from './table.ts'

/** Most words on a stack (Yellow Paper, 9.1). */
export const MAX_HEIGHT = 1024

/** An instruction whose cost has been worked out, or that cannot run. */
export interface Plan {
  readonly opcode: number
  readonly instruction: Instruction | undefined
  /** Only the fixed part where working it out failed. */
  readonly gas: number
  /** Of it, what a call hands over. */
  readonly handedOver: number
  readonly halt: Halt | undefined
}

/** Works out what the instruction at the frame's position costs; charges nothing. */
export function plan(machine: Machine, frame: Frame, table: InstructionTable): Plan {
  const opcode = frame.code.bytes[frame.position] ?? 0
  const instruction = table[opcode]
  if (instruction === undefined) {
    return { opcode, instruction, gas: 0, handedOver: 0, halt: INVALID_OPCODE }
  }
  const { dynamicGas, gas: fixed } = instruction
  const stackHalt = stackHaltOf(frame, instruction)
  if (stackHalt !== undefined) return { opcode, instruction, gas: fixed, handedOver: 0, halt: stackHalt }
  frame.handedOver = 0
  try {
    const gas = fixed + (dynamicGas === undefined ? 0 : dynamicGas(frame, machine))
    const halt = gas > frame.gas ? OUT_OF_GAS : undefined
    return { opcode, instruction, gas, handedOver: frame.handedOver, halt }
  } catch (error) {
    if (!(error instanceof Halt)) throw error
    return { opcode, instruction, gas: fixed, handedOver: 0, halt: error }
  }
}

function stackHaltOf({ height }: Frame, { inputs, outputs }: Instruction): Halt | undefined {
  if (height < inputs) return STACK_UNDERFLOW
  return height - inputs + outputs > MAX_HEIGHT ? STACK_OVERFLOW : undefined
}

/** The step as observers know it. */
export function stepOf({ accounts }: Machine, frame: Frame, { opcode, instruction, ...costs }: Plan): Step {
  return {
    pc: frame.position,
    opcode,
    name: instruction?.name,
    gasLeft: BigInt(frame.gas),
    cost: BigInt(costs.gas),
    handedOver: BigInt(costs.handedOver),
    depth: frame.message.depth,
    stack: frame.words.slice(0, frame.height),
    memory: frame.memory.view(0, frame.memory.size),
    address: frame.address,
    balance: accounts.state.account(frame.address)?.balance ?? 0n,
  }
}
