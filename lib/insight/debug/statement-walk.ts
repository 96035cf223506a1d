/** Collects the statements of a function with the variables in scope. */

import { childAt, listAt, rangeOf, type AstNode } from '../artifacts/ast-node.ts'
import { assemblyVariable, variableOf, variablesIn } from './debug-function.ts'
import type { DebugFunction, DebugStatement, DeclaredVariable } from './debug-function.ts'
import type { SourceRange } from '../artifacts/source-map.ts'

/** Collects the statements of one function. A scope is a list of the variables declared before. */
export class StatementWalk {
  readonly #within: DebugFunction
  readonly #statements: DebugStatement[]
  readonly #placeholders: (readonly DeclaredVariable[])[]
  /** The innermost block or branch around the current statement. */
  #block: SourceRange
  /** The loops around the current statement. */
  #loops: readonly AstNode[] = []
  /** The functions in inline assembly. */
  readonly functions: AstNode[] = []

  constructor(
    within: DebugFunction,
    statements: DebugStatement[],
    placeholders: (readonly DeclaredVariable[])[],
  ) {
    this.#within = within
    this.#block = within.range
    this.#statements = statements
    this.#placeholders = placeholders
  }

  add(
    node: AstNode,
    head: AstNode,
    scope: readonly DeclaredVariable[],
    declares: readonly DeclaredVariable[] = [],
  ): void {
    const order = this.#statements.length
    this.#statements.push({
      node,
      within: this.#within,
      head,
      range: rangeOf(head),
      order,
      loops: this.#loops,
      block: this.#block,
      scope,
      declares,
    })
  }

  /** Visits a statement; returns the scope of the next one. */
  visit(node: AstNode, scope: readonly DeclaredVariable[]): readonly DeclaredVariable[] {
    switch (node.nodeType) {
      case 'Block':
      case 'UncheckedBlock':
        this.#sequence(listAt(node, 'statements'), scope)
        return scope
      case 'IfStatement':
        this.add(node, childAt(node, 'condition') ?? node, scope)
        for (const member of ['trueBody', 'falseBody']) this.#inner(childAt(node, member), scope)
        return scope
      case 'WhileStatement':
        this.#inLoop(node, () => {
          this.add(node, childAt(node, 'condition') ?? node, scope)
          this.#inner(childAt(node, 'body'), scope)
        })
        return scope
      case 'DoWhileStatement':
        this.#inLoop(node, () => {
          this.#inner(childAt(node, 'body'), scope)
          this.add(node, childAt(node, 'condition') ?? node, scope)
        })
        return scope
      case 'ForStatement':
        this.#visitFor(node, scope)
        return scope
      case 'TryStatement':
        this.add(node, childAt(node, 'externalCall') ?? node, scope)
        for (const clause of listAt(node, 'clauses'))
          this.#inner(childAt(clause, 'block'), [
            ...scope,
            ...variablesIn(childAt(clause, 'parameters'), 'local'),
          ])
        return scope
      case 'VariableDeclarationStatement': {
        const declares = listAt(node, 'declarations').map((one) => variableOf(one, 'local'))
        this.add(node, node, scope, declares)
        return [...scope, ...declares]
      }
      case 'InlineAssembly':
        this.#visitAssembly(node, scope)
        return scope
      case 'PlaceholderStatement':
        this.#placeholders.push(scope)
        return scope
      default:
        this.add(node, node, scope)
        return scope
    }
  }

  #sequence(nodes: readonly AstNode[], scope: readonly DeclaredVariable[]): void {
    let inner = scope
    for (const node of nodes) inner = this.visit(node, inner)
  }

  /** Visits the body of a branch or of a loop. */
  #inner(node: AstNode | undefined, scope: readonly DeclaredVariable[]): void {
    if (node === undefined) return
    const outer = this.#block
    this.#block = rangeOf(node)
    if (node.nodeType.startsWith('Yul')) this.visitYul(node, scope)
    else this.visit(node, scope)
    this.#block = outer
  }

  #visitFor(node: AstNode, scope: readonly DeclaredVariable[]): void {
    const first = childAt(node, 'initializationExpression')
    const inner = first === undefined ? scope : this.visit(first, scope)
    const condition = childAt(node, 'condition')
    this.#inLoop(node, () => {
      if (condition !== undefined) this.add(node, condition, inner)
      this.#inner(childAt(node, 'body'), inner)
      this.#inner(childAt(node, 'loopExpression'), inner)
    })
  }

  #inLoop(loop: AstNode, visit: () => void): void {
    const outer = this.#loops
    this.#loops = [...outer, loop]
    visit()
    this.#loops = outer
  }

  /** Since 0.6.11 the AST has the content of inline assembly. */
  #visitAssembly(node: AstNode, scope: readonly DeclaredVariable[]): void {
    const block = childAt(node, 'AST')
    if (block === undefined) this.add(node, node, scope)
    else this.visitYul(block, scope)
  }

  /** Visits a statement of inline assembly; returns the scope of the next one. */
  visitYul(node: AstNode, scope: readonly DeclaredVariable[]): readonly DeclaredVariable[] {
    switch (node.nodeType) {
      case 'YulBlock':
        this.#yulSequence(node, scope)
        return scope
      case 'YulFunctionDefinition':
        this.functions.push(node)
        return scope
      case 'YulVariableDeclaration': {
        const declares = listAt(node, 'variables').map((one) => assemblyVariable(one))
        this.add(node, node, scope, declares)
        return [...scope, ...declares]
      }
      case 'YulIf':
        this.add(node, childAt(node, 'condition') ?? node, scope)
        this.#inner(childAt(node, 'body'), scope)
        return scope
      case 'YulSwitch':
        this.add(node, childAt(node, 'expression') ?? node, scope)
        // The value is on the stack while a case runs.
        for (const one of listAt(node, 'cases'))
          this.#inner(childAt(one, 'body'), [...scope, { ...assemblyVariable(node), name: '' }])
        return scope
      case 'YulForLoop': {
        const first = childAt(node, 'pre')
        const inner = first === undefined ? scope : this.#yulSequence(first, scope)
        this.#inLoop(node, () => {
          this.add(node, childAt(node, 'condition') ?? node, inner)
          this.#inner(childAt(node, 'body'), inner)
          this.#inner(childAt(node, 'post'), inner)
        })
        return scope
      }
      default:
        this.add(node, node, scope)
        return scope
    }
  }

  #yulSequence(block: AstNode, scope: readonly DeclaredVariable[]): readonly DeclaredVariable[] {
    let inner = scope
    for (const node of listAt(block, 'statements')) inner = this.visitYul(node, inner)
    return inner
  }
}
