/** Which variables a statement assigns. */

import { childAt, listAt, nodesIn, numberAt, textAt } from '../artifacts/ast-node.ts'
import type { AstNode } from '../artifacts/ast-node.ts'
import { oncePer } from '../../base/once.ts'
import type { DeclaredVariable } from './declared-variables.ts'
import type { DebugStatement } from './debug-function.ts'

const CHANGES: ReadonlySet<string | undefined> = new Set(['++', '--', 'delete'])

/** Ids of the variables that a node assigns, and names that inline assembly in it assigns. */
const assignedIn = oncePer((node: AstNode): ReadonlySet<number | string> => {
  const assigned = new Set<number | string>()
  const add = (target: AstNode | undefined): void => {
    if (target === undefined) return
    const id = target.nodeType === 'Identifier' ? numberAt(target, 'referencedDeclaration') : undefined
    if (id !== undefined) assigned.add(id)
    for (const component of listAt(target, 'components')) add(component)
  }
  for (const inner of nodesIn(node)) {
    if (inner.nodeType === 'Assignment') add(childAt(inner, 'leftHandSide'))
    else if (inner.nodeType === 'UnaryOperation' && CHANGES.has(textAt(inner, 'operator')))
      add(childAt(inner, 'subExpression'))
    else if (inner.nodeType === 'YulAssignment')
      for (const name of listAt(inner, 'variableNames')) assigned.add(textAt(name, 'name') ?? '')
    else if (inner.nodeType === 'InlineAssembly' && childAt(inner, 'AST') === undefined) assigned.add('')
  }
  return assigned
})

/** Whether a node assigns a variable. */
export function assigns(node: AstNode, { id, name }: DeclaredVariable): boolean {
  const assigned = assignedIn(node)
  return (id !== undefined && assigned.has(id)) || assigned.has(name) || assigned.has('')
}

/** The variable that a statement assigns when all of it is evaluated, and nowhere else in it: by `x = ...`, `x += ...`, `x++`, or its declaration. */
export function assignsLast({ node, declares }: DebugStatement, variable: DeclaredVariable): boolean {
  if (declares.some((one) => one.node === variable.node)) return true
  const expression = childAt(node, 'expression')
  if (node.nodeType !== 'ExpressionStatement' || expression === undefined) return false
  const target = childAt(expression, expression.nodeType === 'Assignment' ? 'leftHandSide' : 'subExpression')
  const value = childAt(expression, 'rightHandSide')
  return (
    (expression.nodeType === 'Assignment' || expression.nodeType === 'UnaryOperation') &&
    target?.nodeType === 'Identifier' &&
    numberAt(target, 'referencedDeclaration') === variable.id &&
    (value === undefined || !assigns(value, variable))
  )
}
