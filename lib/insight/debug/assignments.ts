/** Which variables a statement assigns. */

import { childAt, listAt, nodesIn, numberAt, textAt, typeOf } from '../artifacts/ast-node.ts'
import type { AstNode } from '../artifacts/ast-node.ts'
import { oncePer } from '../../base/once.ts'
import type { DeclaredVariable } from './declared-variables.ts'
import type { DebugFunction, DebugStatement } from './debug-function.ts'

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

/** Whether a statement assigns or declares a variable. */
export const assignsIn = ({ node, declares }: DebugStatement, variable: DeclaredVariable): boolean =>
  declares.some((one) => one.node === variable.node) || assigns(node, variable)

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

const WRITING_CALLS: ReadonlySet<string | undefined> = new Set(['push', 'pop'])

const WRITING_INSTRUCTIONS: ReadonlySet<string | undefined> = new Set([
  'mstore',
  'mstore8',
  'sstore',
  'tstore',
  'mcopy',
])

/** Ids of the variables of a function that have a word on the stack. */
const stackedIn = oncePer(
  ({ parameters, returns, statements }: DebugFunction): ReadonlySet<number | undefined> => {
    const declared = statements.flatMap((one) => [...one.declares, ...one.scope])
    return new Set([...parameters, ...returns, ...declared].map(({ id }) => id))
  },
)

/** Whether a statement may write to memory or storage what variables refer to. */
export const writes = oncePer(({ node, declares, within }: DebugStatement): boolean => {
  if (declares.some(({ location }) => location === 'memory')) return true
  const isOnStack = (target: AstNode | undefined): boolean => {
    if (target?.nodeType === 'TupleExpression') return listAt(target, 'components').every(isOnStack)
    const isStacked = stackedIn(within).has(numberAt(target, 'referencedDeclaration'))
    return target?.nodeType === 'Identifier' && isStacked && !typeOf(target).includes('_memory_ptr')
  }
  return nodesIn(node).some((inner) => {
    switch (inner.nodeType) {
      case 'Assignment':
        return !isOnStack(childAt(inner, 'leftHandSide'))
      case 'UnaryOperation':
        return CHANGES.has(textAt(inner, 'operator')) && !isOnStack(childAt(inner, 'subExpression'))
      case 'FunctionCall':
        return WRITING_CALLS.has(textAt(childAt(inner, 'expression'), 'memberName'))
      case 'YulFunctionCall':
        return WRITING_INSTRUCTIONS.has(textAt(childAt(inner, 'functionName'), 'name'))
      default:
        return false
    }
  })
})

/** Whether a statement does nothing after it has written. */
export const writesLast = ({ node }: DebugStatement): boolean =>
  node.nodeType === 'ExpressionStatement' && childAt(node, 'expression')?.nodeType === 'Assignment'
