/** What stands before each statement of a source in the same block. */

import { containsRange } from '../artifacts/ast-node.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import type { SolidityExit } from '../artifacts/statements.ts'
import type { RegionTree } from './region-tree.ts'

/** A statement that can leave its block, such as `if (a) return`. By indexes of statements. */
export interface LeavingStatement {
  readonly statement: number
  /** The statements in it that leave. */
  readonly exits: readonly number[]
}

/** What stands before a statement. */
export interface StatementsBefore {
  /** The one before it. Undefined for the first one, and where that contains others: which of them ends it is not known. */
  readonly previous: SourceRange | undefined
  /** The last one that can leave the block. */
  readonly leaving: LeavingStatement | undefined
}

/** What stands before each of the statements, which are in the order of the source. */
export function statementOrder(
  statements: readonly SourceRange[],
  exits: readonly SolidityExit[],
  regions: RegionTree,
): readonly StatementsBefore[] {
  const indexes = new Map(statements.map((one, index) => [`${one.start}:${one.end}`, index]))
  const exitsIn = (one: SourceRange): readonly number[] =>
    exits
      .filter(({ range, loop }) => containsRange(one, range) && !(loop && containsRange(one, loop)))
      .map(({ range }) => indexes.get(`${range.start}:${range.end}`))
      .filter((index) => index !== undefined)
  const isSimple = (at: number): boolean => {
    const [before, one, after] = [statements[at - 1], statements[at], statements[at + 1]]
    return [before, after].every(
      (next) => next === undefined || one === undefined || !containsRange(one, next),
    )
  }
  const lastOfBlock = new Map<number | undefined, number>()
  const leavingOfBlock = new Map<number | undefined, LeavingStatement>()
  return statements.map((statement, at) => {
    const [, block] = regions.around(statement)
    const before = lastOfBlock.get(block)
    const leaving = leavingOfBlock.get(block)
    lastOfBlock.set(block, at)
    const left = exitsIn(statement)
    if (left.length > 0) leavingOfBlock.set(block, { statement: at, exits: left })
    return { previous: before !== undefined && isSimple(before) ? statements[before] : undefined, leaving }
  })
}
