/** Tells whether statements for which the compiler makes no code can have been reached. */

import { containsRange } from '../artifacts/ast-node.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import type { CountedInstruction } from './code-listing.ts'
import type { SourceItems } from './source-items.ts'

/**
 * Whether no execution came past the statement before a statement, such as one that always fails. A statement that contains others
 * is not asked: which of them ends it is not known.
 */
export function isCutOff(
  statement: SourceRange,
  items: SourceItems,
  instructions: readonly CountedInstruction[],
  file: number,
): boolean {
  const before = statementBefore(statement, items)
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

/** The statement before another one in the same block; undefined for the first one, and if it contains others. */
function statementBefore(
  statement: SourceRange,
  { statements, regions }: SourceItems,
): SourceRange | undefined {
  const blockOf = (range: SourceRange): number | undefined => [...regions.around(range)][1]
  const block = blockOf(statement)
  const before = statements
    .filter(({ end }) => end <= statement.start)
    .filter((one) => blockOf(one) === block)
    .reduce<SourceRange | undefined>(
      (last, one) => (last === undefined || one.end > last.end ? one : last),
      undefined,
    )
  const isSimple = (range: SourceRange): boolean =>
    statements.every((one) => one === range || !containsRange(range, one))
  return before !== undefined && isSimple(before) ? before : undefined
}
