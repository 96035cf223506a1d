/** Basic blocks of contract code, as the core runs and reports them (assembly/analysis.ts). */

import type { Rules } from '../rules/rules.ts'
import { endsBlock } from './core-tables.ts'
import { instructionTable } from './table.ts'

const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f

/** Positions of the instructions of a basic block, in order. The end of the code ends the last one. */
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
