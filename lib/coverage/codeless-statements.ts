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
  { previous }: SourceItems,
  instructions: readonly CountedInstruction[],
  file: number,
): boolean {
  const before = previous[statement]
  if (before === undefined) return false
  const isInside = ({ location }: CountedInstruction): boolean =>
    location?.file === file && containsRange(before, location)
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
