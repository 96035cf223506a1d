/**
 * Builds the tables by which the core knows the rules of a network: gas and stack heights of the instructions, and gas of
 * storage. The code of the core is the same for all networks.
 */

import { getOrAdd, oncePer } from '../../base/once.ts'
import type { Rules } from '../rules.ts'
import type { Instruction, Instructions } from './instruction.ts'
import * as layout from '../../../assembly/layout.ts'
import { accountAccess, blobHash, blockHash } from './instructions/reads.ts'
import { calls } from './instructions/calls.ts'
import { coreInstructions, optionalCoreInstructions } from './instructions/core.ts'
import { creation } from './instructions/creation.ts'
import { deepStack } from './instructions/deep-stack.ts'

const imagesByContent = new Map<string, Uint8Array>()

/** The tables for the rules, for `TABLE` in the core. Rules with the same tables share them. */
export const tableImage = oncePer((rules: Rules): Uint8Array => {
  const bytes = build(rules)
  return getOrAdd(imagesByContent, Buffer.from(bytes).toString('latin1'), () => bytes)
})

/**
 * Instructions of the core that end a basic block. The constant gas of a block is charged at its start. They are jumps, ends of the
 * frame, and instructions that need the exact remaining gas: GAS and SSTORE read it; at SLOAD, SSTORE and LOG the core can stop for
 * the machine.
 */
const ENDS_BLOCK: ReadonlySet<string> = new Set(
  'STOP JUMP JUMPI RETURN REVERT INVALID GAS SLOAD SSTORE LOG0 LOG1 LOG2 LOG3 LOG4'.split(' '),
)

/** A stack height in bytes that is never reached. It marks undefined opcodes. */
const UNREACHABLE = 0xffff

function build(rules: Rules): Uint8Array {
  const view = new DataView(new ArrayBuffer(layout.TABLES_END - layout.TABLE))
  for (let opcode = 0; opcode < 256; opcode++) {
    const instruction = instructionTable(rules)[opcode]
    writeEntry(view, opcode, instruction)
    view.setInt8(
      layout.GROWTH - layout.TABLE + opcode,
      instruction === undefined ? 0 : instruction.outputs - instruction.inputs,
    )
  }
  for (const [offset, value] of coreRules(rules))
    view.setFloat64(layout.RULES - layout.TABLE + offset, value, true)
  return new Uint8Array(view.buffer)
}

/**
 * Writes the entry of an opcode. The core requests an instruction that it does not own from the machine (`request`). Its gas is
 * zero here, because the machine charges all of it.
 */
function writeEntry(view: DataView, opcode: number, instruction: Instruction | undefined): void {
  const at = 8 * opcode
  if (endsBlock(instruction)) view.setUint16(at + 6, layout.IS_LAST, true)
  if (instruction === undefined) {
    view.setUint16(at + 2, UNREACHABLE, true)
    return
  }
  const { inputs, outputs, gas, request } = instruction
  view.setUint16(at, request === undefined ? gas : 0, true)
  view.setUint16(at + 2, 32 * inputs, true)
  view.setUint16(at + 4, 32 * (1024 - outputs), true)
}

/** Whether an instruction ends a basic block. Undefined ones and those the machine performs do. */
const endsBlock = (instruction: Instruction | undefined): boolean =>
  instruction?.request !== undefined || instruction === undefined || ENDS_BLOCK.has(instruction.name)

function coreRules({
  access,
  expByte,
  maxMemory,
  stateGas,
  storage,
}: Rules): readonly (readonly [number, number])[] {
  const isFlat = access.kind === 'flat'
  const isNet = storage.kind === 'net'
  return [
    [layout.EXP_BYTE, expByte],
    [layout.MAX_MEMORY, maxMemory],
    [layout.SLOT_WARM, isFlat ? 0 : access.warm],
    [layout.SLOT_COLD, isFlat ? 0 : access.coldSlot],
    [layout.IS_NET, isNet ? 1 : 0],
    [layout.SENTRY, isNet ? storage.sentry : 0],
    [layout.SLOT_SET, storage.set],
    [layout.SLOT_RESET, storage.reset],
    [layout.SLOT_DIRTY, isNet ? storage.dirty : 0],
    [layout.CLEAR_REFUND, storage.clearRefund],
    [layout.SLOT_STATE_GAS, stateGas?.slot ?? 0],
  ]
}

const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f

/** Positions of a basic block's instructions as the core runs them (assembly/analysis.ts). The code's end ends the last block. */
export function positionsInBlock(rules: Rules, code: Uint8Array, start: number): readonly number[] {
  const table = instructionTable(rules)
  const positions: number[] = []
  for (let position = start; position < code.length;) {
    const opcode = code[position] ?? 0
    if (opcode === JUMPDEST && position > start) break
    positions.push(position)
    if (endsBlock(table[opcode])) break
    position += opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 2 : 1
  }
  return positions
}

/** Instructions by opcode; absent for an undefined opcode. */
export type InstructionTable = readonly (Instruction | undefined)[]

/** The instructions of a network, built once. */
export const instructionTable = oncePer((rules: Rules): InstructionTable => {
  const table = new Array<Instruction | undefined>(256).fill(undefined)
  const names: ReadonlySet<string> = rules.instructions
  const optional = [...optionalCoreInstructions, ...deepStack, blobHash].filter(([, { name }]) =>
    names.has(name),
  )
  for (const [opcode, instruction] of [...everywhere(rules), ...optional]) table[opcode] = instruction
  return table
})

const everywhere = (rules: Rules): Instructions => [
  ...coreInstructions(rules),
  blockHash,
  ...accountAccess(rules),
  ...calls(rules),
  ...creation(rules),
]
