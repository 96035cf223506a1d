/** The statements and branches of a source, read from the AST of solc. */

import { childAt, listAt, nodesIn, rangeOf, textAt, type AstNode } from './ast-node.ts'
import type { SourceRange } from './source-map.ts'

/** A place at which the execution chooses one of several ways. */
export interface SolidityBranch {
  readonly kind: 'if' | 'conditional' | 'try' | 'require'
  readonly range: SourceRange
  /**
   * The ways, in the order of the source; undefined for the absent `else` of an `if`. Those of a `require` or an `assert` are without
   * source: it passes or fails.
   */
  readonly ways: readonly (SourceRange | undefined)[]
}

/** Nodes with parts that run another number of times than the node. */
const REPEATED = /^(?:(?:For|While|DoWhile)Statement|Yul(?:ForLoop|If|Case|FunctionDefinition))$/

/** Statements. The placeholder of a modifier stands for code elsewhere. */
const STATEMENT =
  /^(?:\w+(?<!Placeholder)Statement|Return|Break|Continue|InlineAssembly|Yul(?:Assignment|VariableDeclaration|If|Switch|ForLoop|Break|Continue|Leave))$/

/** Functions that check a condition. */
const CHECKS: ReadonlySet<string | undefined> = new Set(['require', 'assert'])

/** The statements, branches and bodies of a source, in the order of the AST. */
export function statementsOf(ast: AstNode) {
  const nodes = nodesIn(ast)
  return {
    statements: nodes
      .filter(({ nodeType }) => STATEMENT.test(nodeType))
      .map((node) => ({ ...rangeOf(node), canEnd: canEnd(node) })),
    branches: nodes.map(branchOf).filter((branch) => branch !== undefined),
    /** Bodies of loops, with what follows each round, and of conditions and functions of inline assembly. */
    bodies: nodes
      .filter(({ nodeType }) => REPEATED.test(nodeType))
      .flatMap((node) => waysOf(node, ['body', 'post', 'loopExpression']))
      .filter((body) => body !== undefined),
  }
}

const EXITS = /^(?:Return|RevertStatement|(?:Yul)?(?:Break|Continue)|YulLeave)$/

/** Whether the next statement can run after it, as far as their form tells. */
function canEnd(node: AstNode | undefined): boolean {
  if (node === undefined) return true
  const body = childAt(node, 'body')
  switch (node.nodeType) {
    case 'Block':
    case 'UncheckedBlock':
    case 'YulBlock':
      return listAt(node, 'statements').every(canEnd)
    case 'IfStatement':
      return canEnd(childAt(node, 'trueBody')) || canEnd(childAt(node, 'falseBody'))
    case 'DoWhileStatement':
      return canEnd(body) || hasAny(body, 'Break', 'Continue')
    case 'ForStatement':
      return childAt(node, 'condition') !== undefined || hasAny(body, 'Break')
    case 'ExpressionStatement': {
      const called = childAt(childAt(node, 'expression'), 'expression')
      return called?.nodeType !== 'Identifier' || textAt(called, 'name') !== 'revert'
    }
    default:
      return !EXITS.test(node.nodeType)
  }
}

const hasAny = (body: AstNode | undefined, ...types: readonly string[]): boolean =>
  body !== undefined && nodesIn(body).some(({ nodeType }) => types.includes(nodeType))

function branchOf(node: AstNode): SolidityBranch | undefined {
  const range = rangeOf(node)
  switch (node.nodeType) {
    case 'IfStatement':
      return { kind: 'if', range, ways: waysOf(node, ['trueBody', 'falseBody']) }
    case 'Conditional':
      return { kind: 'conditional', range, ways: waysOf(node, ['trueExpression', 'falseExpression']) }
    case 'TryStatement':
      return { kind: 'try', range, ways: listAt(node, 'clauses').map(rangeOf) }
    case 'FunctionCall': {
      const called = childAt(node, 'expression')
      const isCheck = called?.nodeType === 'Identifier' && CHECKS.has(textAt(called, 'name'))
      return isCheck ? { kind: 'require', range, ways: [undefined, undefined] } : undefined
    }
    default:
      return undefined
  }
}

const waysOf = (node: AstNode, members: readonly string[]): readonly (SourceRange | undefined)[] =>
  members.map((member) => {
    const way = childAt(node, member)
    return way && rangeOf(way)
  })
