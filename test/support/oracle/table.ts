/** All instructions of a network, by opcode. */

import type { Rules } from '../../../lib/evm/rules/rules.ts'
import type { Instruction, Instructions } from './instruction.ts'
import { accountAccess } from './instructions/account-access.ts'
import { arithmetic } from './instructions/arithmetic.ts'
import { bitwise, countLeadingZeros } from './instructions/bitwise.ts'
import { calls } from './instructions/calls.ts'
import { creation } from './instructions/creation.ts'
import {
  baseFee,
  blobBaseFee,
  blobHash,
  blockEnvironment,
  callEnvironment,
} from './instructions/environment.ts'
import { flow } from './instructions/flow.ts'
import { copyMemory, memoryAccess } from './instructions/memory-access.ts'
import { pushZero, stack } from './instructions/stack.ts'
import { loadTransient, storage, storeTransient } from './instructions/storage.ts'

/** Instructions by opcode; undefined for undefined opcodes. */
export type InstructionTable = readonly (Instruction | undefined)[]

const tables = new WeakMap<Rules, InstructionTable>()

/** The instructions of a network, built once. */
export function instructionTable(rules: Rules): InstructionTable {
  let table = tables.get(rules)
  if (table === undefined) tables.set(rules, (table = build(rules)))
  return table
}

function build(rules: Rules): InstructionTable {
  const table = new Array<Instruction | undefined>(256).fill(undefined)
  const optional = optionalInstructions(rules).filter(([, { name }]) => isIn(rules.instructions, name))
  for (const [opcode, instruction] of [...everywhere(rules), ...optional]) table[opcode] = instruction
  return table
}

const isIn = (names: ReadonlySet<string>, name: string): boolean => names.has(name)

const everywhere = (rules: Rules): Instructions => [
  ...arithmetic(rules.expByte),
  ...bitwise,
  ...callEnvironment,
  ...blockEnvironment(rules),
  ...stack,
  ...flow,
  ...memoryAccess,
  ...accountAccess(rules),
  ...storage(rules),
  ...calls(rules),
  ...creation(rules),
]

const optionalInstructions = (rules: Rules): Instructions => [
  baseFee(rules),
  blobHash,
  blobBaseFee,
  copyMemory,
  countLeadingZeros,
  loadTransient,
  pushZero,
  storeTransient,
]
