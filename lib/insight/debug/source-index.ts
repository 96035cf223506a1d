/** The functions and statements of a source, each statement with the variables in scope (from the AST of solc). */

import {
  childAt,
  containsRange,
  isAstNode,
  listAt,
  numberAt,
  rangeOf,
  textAt,
} from '../artifacts/ast-node.ts'
import type { AstNode } from '../artifacts/ast-node.ts'
import type { SourceUnit } from '../artifacts/compilation.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import { oncePer } from '../../base/once.ts'
import { assemblyVariable, variablesIn } from './debug-function.ts'
import type { CodeUnitKind, DebugFunction, DebugStatement, DeclaredVariable } from './debug-function.ts'
import { StatementWalk } from './statement-walk.ts'

export interface SourceIndex {
  readonly functions: readonly DebugFunction[]
  /** The innermost function that contains a part of the source. */
  functionAt(range: SourceRange): DebugFunction | undefined
  /** The function that covers exactly a part of the source. */
  functionFrom(range: SourceRange): DebugFunction | undefined
}

const KINDS: Readonly<Record<string, CodeUnitKind>> = {
  FunctionDefinition: 'function',
  ModifierDefinition: 'modifier',
  YulFunctionDefinition: 'assembly',
}

/** The index of a source, made at the first call; undefined without the AST. */
export const sourceIndex = oncePer((unit: SourceUnit): SourceIndex | undefined => {
  if (!isAstNode(unit.ast)) return undefined
  const functions = listAt(unit.ast, 'nodes').flatMap((node) =>
    node.nodeType === 'ContractDefinition'
      ? listAt(node, 'nodes').flatMap((part) => functionOf(part, unit, node))
      : functionOf(node, unit, undefined),
  )
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

function functionOf(
  node: AstNode,
  unit: SourceUnit,
  contract: AstNode | undefined,
): readonly DebugFunction[] {
  const kind = kindOf(node)
  if (kind === undefined) return []
  const statements: DebugStatement[] = []
  const placeholders: (readonly DeclaredVariable[])[] = []
  const given = kind === 'variable' ? undefined : node
  const one: DebugFunction = {
    kind,
    name: textAt(node, 'name') || (textAt(node, 'kind') ?? 'fallback'),
    contract: textAt(contract, 'name'),
    contractId: numberAt(contract, 'id'),
    node,
    unit,
    range: rangeOf(node),
    parameters:
      kind === 'assembly'
        ? wordsIn(node, 'parameters')
        : variablesIn(childAt(given, 'parameters'), 'parameter'),
    returns:
      kind === 'assembly'
        ? wordsIn(node, 'returnVariables')
        : variablesIn(childAt(given, 'returnParameters'), 'return'),
    statements,
    placeholders,
  }
  const walk = new StatementWalk(one, statements, placeholders)
  const body = childAt(node, 'body')
  if (kind === 'variable') walk.add(node, node, [])
  else if (body !== undefined) walk.visit(body, [])
  return [one, ...walk.functions.flatMap((inner) => functionOf(inner, unit, contract))]
}

function kindOf(node: AstNode): CodeUnitKind | undefined {
  if (node.nodeType === 'VariableDeclaration') return node['constant'] === true ? undefined : 'variable'
  const isConstructor = textAt(node, 'kind') === 'constructor' || node['isConstructor'] === true
  return isConstructor ? 'constructor' : KINDS[node.nodeType]
}

const wordsIn = (node: AstNode, member: string): readonly DeclaredVariable[] =>
  listAt(node, member).map((one) => assemblyVariable(one))
