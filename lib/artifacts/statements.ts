/** The statements and branches of a source, read from the AST of solc. */

import { childAt, childrenOf, isAstNode, listAt, rangeOf } from './ast-node.ts'
import type { AstNode } from './ast-node.ts'
import type { SourceRange } from './source-map.ts'

/** A place at which the execution chooses one of several ways. */
export interface SolidityBranch {
  readonly kind: 'if' | 'conditional' | 'try'
  readonly range: SourceRange
  /** The ways, in the order of the source; undefined for the absent `else` of an `if`. */
  readonly ways: readonly (SourceRange | undefined)[]
}

/** Statements and branches in the order of the AST. */
export interface SolidityStatements {
  readonly statements: readonly SourceRange[]
  readonly branches: readonly SolidityBranch[]
}

/** Nodes that only hold statements, or that stand for code elsewhere. */
const NOT_STATEMENTS: ReadonlySet<string> = new Set(['PlaceholderStatement'])

/** The statements and branches of a source; empty without an AST. */
export function statementsOf(ast: unknown): SolidityStatements {
  const statements: SourceRange[] = []
  const branches: SolidityBranch[] = []
  const visit = (node: AstNode): void => {
    if (isStatement(node)) statements.push(rangeOf(node))
    const branch = branchOf(node)
    if (branch !== undefined) branches.push(branch)
    for (const child of childrenOf(node)) visit(child)
  }
  if (isAstNode(ast)) visit(ast)
  return { statements, branches }
}

const isStatement = ({ nodeType }: AstNode): boolean =>
  nodeType === 'Return' ||
  nodeType === 'Break' ||
  nodeType === 'Continue' ||
  nodeType === 'InlineAssembly' ||
  (nodeType.endsWith('Statement') && !NOT_STATEMENTS.has(nodeType))

function branchOf(node: AstNode): SolidityBranch | undefined {
  switch (node.nodeType) {
    case 'IfStatement':
      return { kind: 'if', range: rangeOf(node), ways: waysOf(node, ['trueBody', 'falseBody']) }
    case 'Conditional':
      return {
        kind: 'conditional',
        range: rangeOf(node),
        ways: waysOf(node, ['trueExpression', 'falseExpression']),
      }
    case 'TryStatement':
      return { kind: 'try', range: rangeOf(node), ways: listAt(node, 'clauses').map(rangeOf) }
    default:
      return undefined
  }
}

function waysOf(node: AstNode, members: readonly string[]): readonly (SourceRange | undefined)[] {
  return members.map((member) => {
    const way = childAt(node, member)
    return way && rangeOf(way)
  })
}
