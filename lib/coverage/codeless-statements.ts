/** Tells whether statements for which the compiler makes no code can have been reached. */

import { containsRange } from '../artifacts/ast-node.ts'
import type { CountedInstruction } from './code-listing.ts'
import type { SourceItems } from './source-items.ts'

/**
 * Whether no execution came past the statement before a statement, such as one that always fails.
 * @param statement index in the items
 */
export function isCutOff(
  statement: number,
  { before }: SourceItems,
  instructions: readonly CountedInstruction[],
  file: number,
): boolean {
  const previous = before[statement]?.previous
  if (previous === undefined) return false
  const isInside = ({ location }: CountedInstruction): boolean =>
    location?.file === file && containsRange(previous, location)
  const last = instructions.findLast(isInside)
  if (last === undefined) return false
  // The compiler repeats the code of modifiers.
  const copies = instructions.filter((one) => isInside(one) && isCopy(one, last))
  return copies.every(({ executions }) => executions === 0)
}

const isCopy = (one: CountedInstruction, other: CountedInstruction): boolean =>
  one.opcode === other.opcode &&
  one.location?.start === other.location?.start &&
  one.location?.end === other.location?.end

/**
 * How often executions came past the last statement before a statement that can leave the block, such as `if (a) return`; undefined
 * without one. Where the count of an exit is not known, no execution is: what was not executed must not be reported as executed.
 * @param statement index in the items
 * @param entries how often the statements were entered
 */
export function countAfterExit(
  statement: number,
  { before }: SourceItems,
  entries: readonly (number | undefined)[],
): number | undefined {
  const leaving = before[statement]?.leaving
  if (leaving === undefined) return undefined
  let rest = entries[leaving.statement] ?? 0
  for (const exit of leaving.exits) rest -= entries[exit] ?? rest
  return Math.max(0, rest)
}
