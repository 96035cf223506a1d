/** All instructions of a network, by opcode. */

import type { Rules } from '../rules/rules.ts'
import type { Instruction, Instructions } from './instruction.ts'
import { accountAccess } from './instructions/account-access.ts'
import { blobHash, blockHash } from './instructions/block-hashes.ts'
import { calls } from './instructions/calls.ts'
import { coreInstructions, optionalCoreInstructions } from './instructions/core.ts'
import { creation } from './instructions/creation.ts'

/** Instructions by opcode; absent for an undefined opcode. */
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
  const names: ReadonlySet<string> = rules.instructions
  const optional = [...optionalCoreInstructions, blobHash].filter(([, { name }]) => names.has(name))
  for (const [opcode, instruction] of [...everywhere(rules), ...optional]) table[opcode] = instruction
  return table
}

const everywhere = (rules: Rules): Instructions => [
  ...coreInstructions(rules),
  blockHash,
  ...accountAccess(rules),
  ...calls(rules),
  ...creation(rules),
]
