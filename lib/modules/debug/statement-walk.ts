/** Collects the statements of a function with the variables in scope. */

import { childAt, listAt, rangeOf, type AstNode } from '../../insight/artifacts/ast-node.ts'
import { assemblyVariable, variableOf, variablesIn } from './debug-function.ts'
import type { DebugFunction, DebugStatement, DeclaredVariable } from './debug-function.ts'
import type { SourceRange } from '../../insight/artifacts/source-map.ts'

/** Collects the statements of one function. A scope is a list of the variables declared before. */
export class StatementWalk {
  readonly #within: DebugFunction
  readonly #statements: DebugStatement[]
  readonly #placeholders: (readonly DeclaredVariable[])[]
  /** The innermost block or branch around the current statement. */
  #block: SourceRange
  /** The loops around the current statement. */
  #loops: readonly AstNode[] = []

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

  /** Visits a statement, also of inline assembly; returns the scope of the next one. */
  visit(node: AstNode, scope: readonly DeclaredVariable[]): readonly DeclaredVariable[] {
    const declares = [
      ...listAt(node, 'declarations').map((one) => variableOf(one, 'local')),
      ...listAt(node, 'variables').map(assemblyVariable),
    ]
    this.#visitWithin(node, scope, declares)
    return [...scope, ...declares]
  }

  /** Visits a statement with those in it. */
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
        for (const one of listAt(node, 'cases'))
          this.#inner(childAt(one, 'body'), [...scope, { ...assemblyVariable(node), name: '' }])
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
        this.#placeholders.push(scope)
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
    // What the first block of a loop in inline assembly declares is in scope in the whole loop.
    if (block !== undefined) inner = this.#sequence(block, inner)
    const condition = childAt(node, 'condition')
    this.#inLoop(node, () => {
      if (condition !== undefined) this.add(node, condition, inner)
      for (const member of ['body', 'loopExpression', 'post']) this.#inner(childAt(node, member), inner)
    })
  }

  /** Since 0.6.11 the AST has the content of inline assembly. */
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
