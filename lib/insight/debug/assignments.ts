/** Which variables a statement assigns. */

import { childAt, listAt, nodesIn, numberAt, textAt, typeOf, type AstNode } from '../artifacts/ast-node.ts'
import { oncePer } from '../../base/once.ts'
import { assignmentIn, isTarget } from './assigned-values.ts'
import type { DebugFunction, DebugStatement, DeclaredVariable } from './debug-function.ts'

const CHANGES: ReadonlySet<string | undefined> = new Set(['++', '--', 'delete'])

/** Whether a node is inline assembly without its content. */
const isOpaque = (node: AstNode): boolean =>
  node.nodeType === 'InlineAssembly' && childAt(node, 'AST') === undefined

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
    else if (isOpaque(inner)) assigned.add('')
  }
  return assigned
})

/** Whether a node assigns a variable. */
export function assigns(node: AstNode, { id, name }: Pick<DeclaredVariable, 'id' | 'name'>): boolean {
  const assigned = assignedIn(node)
  return (id !== undefined && assigned.has(id)) || assigned.has(name) || assigned.has('')
}

/** Whether a statement assigns or declares a variable. */
export const assignsIn = ({ head, declares }: DebugStatement, variable: DeclaredVariable): boolean =>
  declares.some((one) => one.node === variable.node) || assigns(head, variable)

/** The variable that a statement assigns when all of it is evaluated, and nowhere else in it: by `x = ...`, `x += ...`, `x++`, or its declaration. */
export function assignsLast(statement: DebugStatement, variable: DeclaredVariable): boolean {
  if (statement.declares.some((one) => one.node === variable.node)) return true
  const { target, value } = assignmentIn(statement)
  return (
    target !== undefined && isTarget(target, variable) && (value === undefined || !assigns(value, variable))
  )
}

/** What a statement may write that variables refer to: `fresh` is memory to which nothing referred before. */
export type Written = 'fresh' | 'memory' | 'storage'

const WRITING_CALLS: ReadonlySet<string | undefined> = new Set(['push', 'pop'])

const WRITING_INSTRUCTIONS: ReadonlyMap<string | undefined, Written> = new Map([
  ['mstore', 'memory'],
  ['mstore8', 'memory'],
  ['mcopy', 'memory'],
  ['sstore', 'storage'],
  ['tstore', 'storage'],
])

/** Ids of the variables of a function that have a word on the stack. */
const stackedIn = oncePer(
  ({ parameters, returns, statements }: DebugFunction): ReadonlySet<number | undefined> => {
    const declared = statements.flatMap((one) => [...one.declares, ...one.scope])
    return new Set([...parameters, ...returns, ...declared].map(({ id }) => id))
  },
)

/** What a statement may write. */
export const writtenBy = oncePer(({ head, declares, within }: DebugStatement): ReadonlySet<Written> => {
  const written = new Set<Written>()
  const add = (target: AstNode | undefined): void => {
    for (const component of target === undefined ? [] : listAt(target, 'components')) add(component)
    if (target?.nodeType === 'TupleExpression') return
    const owner = childAt(target, 'baseExpression') ?? childAt(target, 'expression')
    const isMemory = typeOf(owner ?? target).endsWith('_memory_ptr')
    if (owner !== undefined || !stackedIn(within).has(numberAt(target, 'referencedDeclaration')))
      written.add(owner !== undefined && isMemory ? 'memory' : 'storage')
    else if (isMemory) written.add('fresh')
  }
  if (declares.some(({ location }) => location === 'memory')) written.add('fresh')
  for (const inner of nodesIn(head)) {
    const instruction = WRITING_INSTRUCTIONS.get(textAt(childAt(inner, 'functionName'), 'name'))
    if (inner.nodeType === 'Assignment') add(childAt(inner, 'leftHandSide'))
    else if (inner.nodeType === 'UnaryOperation' && CHANGES.has(textAt(inner, 'operator')))
      add(childAt(inner, 'subExpression'))
    else if (WRITING_CALLS.has(textAt(childAt(inner, 'expression'), 'memberName'))) written.add('storage')
    else if (instruction !== undefined) written.add(instruction)
    else if (isOpaque(inner)) written.add('memory').add('storage')
  }
  return written
})

/** Whether a statement does nothing after it has written. */
export const writesLast = ({ node }: DebugStatement): boolean =>
  node.nodeType === 'ExpressionStatement' && childAt(node, 'expression')?.nodeType === 'Assignment'
