/**
 * Builds the tables by which the core knows the rules of a network: gas and stack heights of the instructions, and gas of
 * storage. The code of the core is the same for all networks.
 */

import type { Rules } from '../rules/rules.ts'
import type { Instruction } from './instruction.ts'
import {
  CLEAR_REFUND,
  EXP_BYTE,
  GROWTH,
  IS_LAST,
  IS_NET,
  MAX_MEMORY,
  RULES,
  SENTRY,
  SLOT_COLD,
  SLOT_DIRTY,
  SLOT_RESET,
  SLOT_SET,
  SLOT_WARM,
  TABLE,
  TABLES_END,
} from './layout.ts'
import { instructionTable } from './table.ts'

/** Bytes to copy to an address in the memory of the core. */
export interface CoreTables {
  readonly at: number
  readonly bytes: Uint8Array
}

const images = new WeakMap<Rules, CoreTables>()
const imagesByContent = new Map<string, CoreTables>()

/** The tables for the rules. Rules with the same tables share them. */
export function tableImage(rules: Rules): CoreTables {
  let image = images.get(rules)
  if (image === undefined) images.set(rules, (image = shared(build(rules))))
  return image
}

function shared(bytes: Uint8Array): CoreTables {
  const content = Buffer.from(bytes).toString('latin1')
  let image = imagesByContent.get(content)
  if (image === undefined) imagesByContent.set(content, (image = { at: TABLE, bytes }))
  return image
}

/**
 * Instructions of the core that end a basic block, at whose start the constant gas of the whole block is charged: jumps, ends of
 * the frame, and those at which the gas that is left must be exact. GAS and SSTORE read it; at SLOAD, SSTORE and LOG the core can
 * stop for the machine.
 */
const ENDS_BLOCK: ReadonlySet<string> = new Set(
  'STOP JUMP JUMPI RETURN REVERT INVALID GAS SLOAD SSTORE LOG0 LOG1 LOG2 LOG3 LOG4'.split(' '),
)

/** A stack height in bytes that is never reached, for undefined opcodes. */
const UNREACHABLE = 0xffff

function build(rules: Rules): Uint8Array {
  const view = new DataView(new ArrayBuffer(TABLES_END - TABLE))
  for (let opcode = 0; opcode < 256; opcode++) {
    const instruction = instructionTable(rules)[opcode]
    writeEntry(view, opcode, instruction)
    view.setInt8(
      GROWTH - TABLE + opcode,
      instruction === undefined ? 0 : instruction.outputs - instruction.inputs,
    )
  }
  for (const [offset, value] of coreRules(rules)) view.setFloat64(RULES - TABLE + offset, value, true)
  return new Uint8Array(view.buffer)
}

/**
 * Writes the entry of an opcode. An instruction that the core does not own is requested from the machine (`request`). Its gas
 * here is zero, because the machine charges all of it, the constant part too.
 */
function writeEntry(view: DataView, opcode: number, instruction: Instruction | undefined): void {
  const at = 8 * opcode
  if (endsBlock(instruction)) view.setUint16(at + 6, IS_LAST, true)
  if (instruction === undefined) {
    view.setUint16(at + 2, UNREACHABLE, true)
    return
  }
  const { inputs, outputs, gas, request } = instruction
  view.setUint16(at, request === undefined ? gas : 0, true)
  view.setUint16(at + 2, 32 * inputs, true)
  view.setUint16(at + 4, 32 * (1024 - outputs), true)
}

/** Whether an instruction ends a basic block. An undefined one does, and so does one that the machine performs. */
export function endsBlock(instruction: Instruction | undefined): boolean {
  return instruction?.request !== undefined || instruction === undefined || ENDS_BLOCK.has(instruction.name)
}

function coreRules({ access, expByte, maxMemory, storage }: Rules): readonly (readonly [number, number])[] {
  const isFlat = access.kind === 'flat'
  const isNet = storage.kind === 'net'
  return [
    [EXP_BYTE, expByte],
    [MAX_MEMORY, maxMemory],
    [SLOT_WARM, isFlat ? 0 : access.warm],
    [SLOT_COLD, isFlat ? 0 : access.coldSlot],
    [IS_NET, isNet ? 1 : 0],
    [SENTRY, isNet ? storage.sentry : 0],
    [SLOT_SET, storage.set],
    [SLOT_RESET, storage.reset],
    [SLOT_DIRTY, isNet ? storage.dirty : 0],
    [CLEAR_REFUND, storage.clearRefund],
  ]
}
