/** The functions and statements of a source, each statement with the variables in scope (from the AST of solc). */

import { childAt, containsRange, listAt, textAt } from '../../insight/artifacts/ast-node.ts'
import type { SourceUnit } from '../../insight/artifacts/compilation.ts'
import { soliditySource, type SolidityFunction } from '../../insight/artifacts/solidity-ast.ts'
import type { SourceRange } from '../../insight/artifacts/source-map.ts'
import { oncePer } from '../../base/once.ts'
import { assemblyVariable, variablesIn } from './debug-function.ts'
import type { DebugFunction, DebugStatement, DeclaredVariable } from './debug-function.ts'
import { StatementWalk } from './statement-walk.ts'

export interface SourceIndex {
  readonly functions: readonly DebugFunction[]
  /** The innermost function that contains a part of the source. */
  functionAt(range: SourceRange): DebugFunction | undefined
  /** The function that covers exactly a part of the source. */
  functionFrom(range: SourceRange): DebugFunction | undefined
}

/** The index of a source, made at the first call; undefined without the AST. */
export const sourceIndex = oncePer((unit: SourceUnit): SourceIndex | undefined => {
  const functions = soliditySource(unit.ast)?.functions.map((one) => functionOf(one, unit))
  if (functions === undefined) return undefined
  const byRange = new Map(functions.map((one) => [keyOf(one.range), one]))
  return {
    functions,
    functionAt: (range) => functions.findLast((one) => containsRange(one.range, range)),
    functionFrom: (range) => byRange.get(keyOf(range)),
  }
})

/** The functions of a source; none without the AST. */
export const functionsIn = (unit: SourceUnit): readonly DebugFunction[] => sourceIndex(unit)?.functions ?? []

const keyOf = ({ start, end }: SourceRange): string => `${start}:${end}`

function functionOf(declared: SolidityFunction, unit: SourceUnit): DebugFunction {
  const { kind, node, contract, range } = declared
  const statements: DebugStatement[] = []
  const placeholders: (readonly DeclaredVariable[])[] = []
  const isAssembly = kind === 'assembly'
  const given = kind === 'variable' ? undefined : node
  const one: DebugFunction = {
    kind: kind === 'fallback' || kind === 'receive' ? 'function' : kind,
    // Before 0.5 a constructor can have the name of its contract.
    name: textAt(node, 'name') || declared.name,
    contract: contract?.name,
    contractId: contract?.id,
    node,
    unit,
    range,
    parameters: isAssembly
      ? listAt(node, 'parameters').map(assemblyVariable)
      : variablesIn(childAt(given, 'parameters'), 'parameter'),
    returns: isAssembly
      ? listAt(node, 'returnVariables').map(assemblyVariable)
      : variablesIn(childAt(given, 'returnParameters'), 'return'),
    statements,
    placeholders,
  }
  const walk = new StatementWalk(one, statements, placeholders)
  const body = childAt(node, 'body')
  if (kind === 'variable') walk.add(node, node, [])
  else if (body !== undefined) walk.visit(body, [])
  return one
}
