/** What of a source can be covered: its statements, functions and branches. */

import type { SourceUnit } from '../artifacts/compilation.ts'
import { once } from '../artifacts/once.ts'
import { soliditySource } from '../artifacts/solidity-ast.ts'
import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import { statementsOf } from '../artifacts/statements.ts'
import type { SolidityBranch } from '../artifacts/statements.ts'
import { RegionTree } from './region-tree.ts'
import { statementOrder } from './statement-order.ts'
import type { StatementsBefore } from './statement-order.ts'

/** Kinds of functions that have counts. Those in inline assembly are statements of it, and variables have no body. */
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

  /** What stands before each statement. */
  get before(): readonly StatementsBefore[] {
    return this.#before()
  }
}

const byPlace = (a: SourceRange, b: SourceRange): number => a.start - b.start || b.end - a.end

const itemsByUnit = new WeakMap<SourceUnit, SourceItems>()

/** What of a source can be covered, read at the first call; undefined without an AST. */
export function sourceItems(unit: SourceUnit): SourceItems | undefined {
  const known = itemsByUnit.get(unit)
  if (known !== undefined || soliditySource(unit.ast) === undefined) return known
  const items = new SourceItems(unit.ast)
  itemsByUnit.set(unit, items)
  return items
}
