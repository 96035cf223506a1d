/** The statements and branches of a source, read from the AST of solc. */

import { childAt, containsRange, isAstNode, listAt, nodesIn, rangeOf, textAt } from './ast-node.ts'
import type { AstNode } from './ast-node.ts'
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

/** A statement after which the next one does not run. */
export interface SolidityExit {
  readonly range: SourceRange
  /** The loop that it leaves or begins anew; undefined if it leaves the function. */
  readonly loop: SourceRange | undefined
}

const LOOPS: ReadonlySet<string> = new Set([
  'ForStatement',
  'WhileStatement',
  'DoWhileStatement',
  'YulForLoop',
])

const LOOP_EXITS: ReadonlySet<string> = new Set(['Break', 'Continue', 'YulBreak', 'YulContinue'])

const FUNCTION_EXITS: ReadonlySet<string> = new Set(['Return', 'RevertStatement', 'YulLeave'])

/** Statements whose names do not end so. */
const OTHER_STATEMENTS: ReadonlySet<string> = new Set([
  'Return',
  'Break',
  'Continue',
  'InlineAssembly',
  'YulAssignment',
  'YulVariableDeclaration',
  'YulIf',
  'YulSwitch',
  'YulForLoop',
  'YulBreak',
  'YulContinue',
  'YulLeave',
])

/** Functions that check a condition. */
const CHECKS: ReadonlySet<string | undefined> = new Set(['require', 'assert'])

/** The statements and branches of a source, in the order of the AST; empty without one. */
export function statementsOf(ast: unknown) {
  const nodes = isAstNode(ast) ? nodesIn(ast) : []
  const loops = nodes.filter(({ nodeType }) => LOOPS.has(nodeType)).map(rangeOf)
  const exits = nodes.filter(({ nodeType }) => LOOP_EXITS.has(nodeType) || FUNCTION_EXITS.has(nodeType))
  return {
    statements: nodes.filter(isStatement).map(rangeOf),
    branches: nodes.map(branchOf).filter((branch) => branch !== undefined),
    exits: exits.map((node) => {
      const range = rangeOf(node)
      const innermost = loops.findLast((loop) => containsRange(loop, range))
      return { range, loop: LOOP_EXITS.has(node.nodeType) ? innermost : undefined }
    }),
  }
}

const isStatement = ({ nodeType }: AstNode): boolean =>
  OTHER_STATEMENTS.has(nodeType) ||
  // The placeholder stands for code elsewhere.
  (nodeType.endsWith('Statement') && nodeType !== 'PlaceholderStatement')

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
