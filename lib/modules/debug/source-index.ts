/** The functions and statements of a source, each statement with the variables in scope (from solc's AST). */

import { oncePer } from '../../base/once.ts'
import {
  childAt,
  containsRange,
  listAt,
  textAt,
  rangeOf,
  type AstNode,
} from '../../insight/artifacts/ast-node.ts'
import type { SourceUnit } from '../../insight/artifacts/compilation.ts'
import { soliditySource, type SolidityFunction } from '../../insight/artifacts/solidity-ast.ts'
import type { SourceRange } from '../../insight/artifacts/source-map.ts'
import {
  assemblyVariable,
  variablesIn,
  variableOf,
  type DebugFunction,
  type DebugStatement,
  type DeclaredVariable,
} from './debug-function.ts'

/** The index of a source, made at the first call; undefined without the AST. */
export const sourceIndex = oncePer((unit: SourceUnit) => {
  const functions = soliditySource(unit.ast)?.functions.map((definition) => functionOf(definition, unit))
  if (functions === undefined) return undefined
  const byRange = new Map(functions.map((declared) => [keyOf(declared.range), declared]))
  return {
    functions,
    functionAt: (range: SourceRange) =>
      functions.findLast((declared) => containsRange(declared.range, range)),
    functionFrom: (range: SourceRange) => byRange.get(keyOf(range)),
  }
})

/** The functions of a source; none without the AST. */
export const functionsIn = (unit: SourceUnit): readonly DebugFunction[] => sourceIndex(unit)?.functions ?? []

const keyOf = ({ start, end }: SourceRange): string => `${start}:${end}`

function functionOf(parsed: SolidityFunction, unit: SourceUnit): DebugFunction {
  const { kind, node, contract, range } = parsed
  const collected: CollectedStatements = { statements: [], placeholders: [] }
  const isAssembly = kind === 'assembly'
  const definition = kind === 'variable' ? undefined : node
  const declared: DebugFunction = {
    kind: kind === 'fallback' || kind === 'receive' ? 'function' : kind,
    // Before 0.5 a constructor may have its contract's name.
    name: textAt(node, 'name') || parsed.name,
    contract: contract?.name,
    contractId: contract?.id,
    node,
    unit,
    range,
    parameters: isAssembly
      ? listAt(node, 'parameters').map(assemblyVariable)
      : variablesIn(childAt(definition, 'parameters'), 'parameter'),
    returns: isAssembly
      ? listAt(node, 'returnVariables').map(assemblyVariable)
      : variablesIn(childAt(definition, 'returnParameters'), 'return'),
    ...collected,
  }
  const walk = new StatementWalk(declared, collected)
  const body = childAt(node, 'body')
  if (kind === 'variable') walk.add(node, node, [])
  else if (body !== undefined) walk.visit(body, [])
  return declared
}

interface CollectedStatements {
  readonly statements: DebugStatement[]
  readonly placeholders: (readonly DeclaredVariable[])[]
}

/** Collects the statements of one function. A scope lists the variables declared before. */
class StatementWalk {
  readonly #within: DebugFunction
  readonly #collected: CollectedStatements
  #block: SourceRange
  #loops: readonly AstNode[] = []

  constructor(within: DebugFunction, collected: CollectedStatements) {
    this.#within = within
    this.#block = within.range
    this.#collected = collected
  }

  add(
    node: AstNode,
    head: AstNode,
    scope: readonly DeclaredVariable[],
    declares: readonly DeclaredVariable[] = [],
  ): void {
    const { statements } = this.#collected
    statements.push({
      node,
      within: this.#within,
      head,
      range: rangeOf(head),
      order: statements.length,
      loops: this.#loops,
      block: this.#block,
      scope,
      declares,
    })
  }

  /** Visits a statement, including inline assembly. Returns the scope of the next one. */
  visit(node: AstNode, scope: readonly DeclaredVariable[]): readonly DeclaredVariable[] {
    const declares = [
      ...listAt(node, 'declarations').map((declaration) => variableOf(declaration, 'local')),
      ...listAt(node, 'variables').map(assemblyVariable),
    ]
    this.#visitWithin(node, scope, declares)
    return [...scope, ...declares]
  }

  #visitWithin(
    node: AstNode,
    scope: readonly DeclaredVariable[],
    declares: readonly DeclaredVariable[],
  ): void {
    switch (node.nodeType) {
      case 'Block':
      case 'UncheckedBlock':
      case 'YulBlock':
        return void this.#sequence(node, scope)
      case 'IfStatement':
      case 'YulIf':
        this.add(node, childAt(node, 'condition') ?? node, scope)
        for (const member of ['trueBody', 'falseBody', 'body']) this.#inner(childAt(node, member), scope)
        return
      case 'YulSwitch':
        this.add(node, childAt(node, 'expression') ?? node, scope)
        // The value is on the stack while a case runs.
        for (const branch of listAt(node, 'cases'))
          this.#inner(childAt(branch, 'body'), [...scope, { ...assemblyVariable(node), name: '' }])
        return
      case 'WhileStatement':
      case 'DoWhileStatement':
        return this.#visitWhile(node, scope)
      case 'ForStatement':
      case 'YulForLoop':
        return this.#visitFor(node, scope)
      case 'TryStatement':
        this.add(node, childAt(node, 'externalCall') ?? node, scope)
        for (const clause of listAt(node, 'clauses')) {
          const parameters = variablesIn(childAt(clause, 'parameters'), 'local')
          this.#inner(childAt(clause, 'block'), [...scope, ...parameters])
        }
        return
      case 'YulFunctionDefinition':
        // Its statements are its own.
        return
      case 'InlineAssembly':
        return this.#visitAssembly(node, scope)
      case 'PlaceholderStatement':
        this.#collected.placeholders.push(scope)
        return
      default:
        this.add(node, node, scope, declares)
    }
  }

  /** Visits the statements of a block; returns the scope after the last one. */
  #sequence(block: AstNode, scope: readonly DeclaredVariable[]): readonly DeclaredVariable[] {
    let inner = scope
    for (const node of listAt(block, 'statements')) inner = this.visit(node, inner)
    return inner
  }

  /** Visits the body of a branch or of a loop. */
  #inner(node: AstNode | undefined, scope: readonly DeclaredVariable[]): void {
    if (node === undefined) return
    const outer = this.#block
    this.#block = rangeOf(node)
    this.visit(node, scope)
    this.#block = outer
  }

  #visitWhile(node: AstNode, scope: readonly DeclaredVariable[]): void {
    const isDo = node.nodeType === 'DoWhileStatement'
    this.#inLoop(node, () => {
      if (isDo) this.#inner(childAt(node, 'body'), scope)
      this.add(node, childAt(node, 'condition') ?? node, scope)
      if (!isDo) this.#inner(childAt(node, 'body'), scope)
    })
  }

  #visitFor(node: AstNode, scope: readonly DeclaredVariable[]): void {
    const [first, block] = [childAt(node, 'initializationExpression'), childAt(node, 'pre')]
    let inner = first === undefined ? scope : this.visit(first, scope)
    // Variables declared in the first block of an assembly loop are in scope in the whole loop.
    if (block !== undefined) inner = this.#sequence(block, inner)
    const condition = childAt(node, 'condition')
    this.#inLoop(node, () => {
      if (condition !== undefined) this.add(node, condition, inner)
      for (const member of ['body', 'loopExpression', 'post']) this.#inner(childAt(node, member), inner)
    })
  }

  /** Since 0.6.11 the AST contains inline assembly. */
  #visitAssembly(node: AstNode, scope: readonly DeclaredVariable[]): void {
    const block = childAt(node, 'AST')
    if (block === undefined) this.add(node, node, scope)
    else this.visit(block, scope)
  }

  #inLoop(loop: AstNode, visit: () => void): void {
    const outer = this.#loops
    this.#loops = [...outer, loop]
    visit()
    this.#loops = outer
  }
}
