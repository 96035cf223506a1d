/** Counts the calls of functions in the instructions of one code. */

import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import type { CountedInstruction } from './code-listing.ts'

const JUMP = 0x56

/** How often the functions were entered by jumps into them; undefined for those that no jump enters. */
export function functionEntries(
  functions: readonly SolidityFunction[],
  instructions: readonly CountedInstruction[],
  file: number,
): readonly (number | undefined)[] {
  const byRange = new Map(functions.map(({ range }, index) => [`${range.start}:${range.end}`, index]))
  const counts: (number | undefined)[] = functions.map(() => undefined)
  for (const { location, executions } of entered(instructions)) {
    if (location?.file !== file) continue
    const index = byRange.get(`${location.start}:${location.end}`)
    if (index !== undefined) counts[index] = (counts[index] ?? 0) + executions
  }
  return counts
}

/** The instructions that jumps into functions lead to. */
function entered(instructions: readonly CountedInstruction[]): readonly CountedInstruction[] {
  const targets = new Set<number>()
  for (const [at, { opcode, jump }] of instructions.entries()) {
    const target = opcode === JUMP && jump === 'into' ? instructions[at - 1]?.pushed : undefined
    if (target !== undefined) targets.add(target)
  }
  return instructions.filter(({ position }) => targets.has(position))
}
