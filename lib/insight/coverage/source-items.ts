/** The items of a source that can be covered: statements, functions and branches. */

import type { SourceUnit } from '../artifacts/compilation.ts'
import { once, oncePer } from '../../base/once.ts'
import { soliditySource } from '../artifacts/solidity-ast.ts'
import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import { statementsOf } from '../artifacts/statements.ts'
import type { SolidityBranch, SolidityExit } from '../artifacts/statements.ts'
import { RegionTree } from './region-tree.ts'
import { containsRange } from '../artifacts/ast-node.ts'

/** Kinds of functions that have counts. In inline assembly only statements are counted, and variables have no body. */
const COUNTED: ReadonlySet<string> = new Set(['function', 'constructor', 'fallback', 'receive', 'modifier'])

/** Statements, functions and branches in the order of the source. */
export class SourceItems {
  readonly statements: readonly SourceRange[]
  readonly functions: readonly SolidityFunction[]
  readonly branches: readonly SolidityBranch[]
  /** The statements, then the functions, then the ways of the branches that have a source. */
  readonly regions: RegionTree
  readonly #before: () => readonly StatementsBefore[]

  constructor(ast: unknown) {
    const { statements, branches, exits } = statementsOf(ast)
    this.statements = statements.toSorted(byPlace)
    this.branches = branches.toSorted((a, b) => byPlace(a.range, b.range))
    const functions = soliditySource(ast)?.functions ?? []
    this.functions = functions
      .filter(({ kind, body }) => COUNTED.has(kind) && body !== undefined)
      .toSorted((a, b) => byPlace(a.range, b.range))
    const ways = this.branches.flatMap((branch) => branch.ways.filter((way) => way !== undefined))
    this.regions = new RegionTree([...this.statements, ...this.functions.map(({ range }) => range), ...ways])
    this.#before = once(() => statementOrder(this.statements, exits, this.regions))
  }

  /** The statements before each statement. */
  get before(): readonly StatementsBefore[] {
    return this.#before()
  }
}

const byPlace = (a: SourceRange, b: SourceRange): number => a.start - b.start || b.end - a.end

/** The items of a source, read at the first call; undefined without an AST. */
export const sourceItems = oncePer(({ ast }: SourceUnit) =>
  soliditySource(ast) === undefined ? undefined : new SourceItems(ast),
)

/** A statement that can leave its block, such as `if (a) return`. By indexes of statements. */
interface LeavingStatement {
  readonly statement: number
  /** The statements in it that leave. */
  readonly exits: readonly number[]
}

/** Statements before a statement in the same block. */
interface StatementsBefore {
  /** The one before it. Undefined for the first one, and where that contains others: which of them ends it is not known. */
  readonly previous: SourceRange | undefined
  /** The last one that can leave the block. */
  readonly leaving: LeavingStatement | undefined
}

/** Finds the statements before each of the statements, which are in the order of the source. */
function statementOrder(
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
