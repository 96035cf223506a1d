/**
 * Which variables a statement assigns, and the words they get, computed from the source and the words of other variables. The
 * debugger's operators compute like Solidity. What they do not know has no word, so none is wrong.
 */

import {
  childAt,
  listAt,
  nodesIn,
  numberAt,
  textAt,
  typeIn,
  typeOf,
} from '../../insight/artifacts/ast-node.ts'
import type { AstNode } from '../../insight/artifacts/ast-node.ts'
import { NodeError } from '../../base/errors.ts'
import { oncePer } from '../../base/once.ts'
import type { DebugFunction, DebugStatement, DeclaredVariable } from './debug-function.ts'
import {
  applyBinary,
  applyUnary,
  boolValue,
  constantValue,
  convertValue,
  elementaryType,
  typedValue,
} from './expressions/typed-values.ts'
import { convertedWord, type Value } from './values/value.ts'

const CHANGES: ReadonlySet<string | undefined> = new Set(['++', '--', 'delete'])

const isOpaque = (node: AstNode): boolean =>
  node.nodeType === 'InlineAssembly' && childAt(node, 'AST') === undefined

/** Ids of variables that a node assigns, and names that its inline assembly assigns. */
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

export function assigns(node: AstNode, { id, name }: Pick<DeclaredVariable, 'id' | 'name'>): boolean {
  const assigned = assignedIn(node)
  return (id !== undefined && assigned.has(id)) || assigned.has(name) || assigned.has('')
}

export const assignsIn = ({ head, declares }: DebugStatement, variable: DeclaredVariable): boolean =>
  declares.some((declared) => declared.node === variable.node) || assigns(head, variable)

/** Whether a statement assigns this variable only at its very end: by `x = ...`, `x += ...`, `x++`, or its declaration. */
export function assignsLast(statement: DebugStatement, variable: DeclaredVariable): boolean {
  if (statement.declares.some((declared) => declared.node === variable.node)) return true
  const { target, value } = assignmentIn(statement)
  return (
    target !== undefined && isTarget(target, variable) && (value === undefined || !assigns(value, variable))
  )
}

/** What a statement may write that variables refer to: `fresh` is memory that nothing referred to before. */
export type Written = 'fresh' | 'memory' | 'storage'

const WRITING_CALLS: ReadonlySet<string | undefined> = new Set(['push', 'pop'])

const WRITING_INSTRUCTIONS: ReadonlyMap<string | undefined, Written> = new Map([
  ['mstore', 'memory'],
  ['mstore8', 'memory'],
  ['mcopy', 'memory'],
  ['sstore', 'storage'],
  ['tstore', 'storage'],
])

/** Ids of a function's variables that have a word on the stack. */
const stackedIn = oncePer(
  ({ parameters, returns, statements }: DebugFunction): ReadonlySet<number | undefined> => {
    const declared = statements.flatMap((statement) => [...statement.declares, ...statement.scope])
    return new Set([...parameters, ...returns, ...declared].map(({ id }) => id))
  },
)

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

/** Whether a statement does nothing after writing. */
export const writesLast = ({ node }: DebugStatement): boolean =>
  node.nodeType === 'ExpressionStatement' && childAt(node, 'expression')?.nodeType === 'Assignment'

/** The parts of an assignment, of `x++`, or of the declaration of one variable, which has no target. Other statements have no `whole`. */
export function assignmentIn({ node }: DebugStatement) {
  const none = { target: undefined, value: undefined, whole: undefined, operator: '' }
  if (node.nodeType === 'VariableDeclarationStatement') {
    const value = childAt(node, 'initialValue')
    return isTuple(node) ? none : { ...none, value, whole: node, operator: '=' }
  }
  const whole = childAt(node, 'expression')
  if (node.nodeType !== 'ExpressionStatement' || whole === undefined) return none
  const operator = textAt(whole, 'operator') ?? ''
  if (whole.nodeType === 'UnaryOperation')
    return { ...none, target: childAt(whole, 'subExpression'), whole, operator }
  if (whole.nodeType !== 'Assignment') return none
  return { target: childAt(whole, 'leftHandSide'), value: childAt(whole, 'rightHandSide'), whole, operator }
}

/** Whether a declaration takes several values. The list has null for each value without a name. */
const isTuple = ({ declarations }: AstNode): boolean =>
  !Array.isArray(declarations) || declarations.length > 1

export const isTarget = (target: AstNode, { id }: DeclaredVariable): boolean =>
  target.nodeType === 'Identifier' && numberAt(target, 'referencedDeclaration') === id

/** The number that the compiler computed for an expression; undefined for other expressions. */
export function rationalOf(value: AstNode | undefined): bigint | undefined {
  const [, sign, digits] = /^t_rational_(minus_)?(\d+)_by_1$/.exec(typeOf(value)) ?? []
  if (digits === undefined) return undefined
  return sign === undefined ? BigInt(digits) : -BigInt(digits)
}

/** The word of a variable by id when a statement begins. */
type WordReader = (id: number | undefined) => bigint | undefined

export function wordAfter(
  statement: DebugStatement,
  variable: DeclaredVariable,
  wordsOf: (variable: DeclaredVariable) => readonly bigint[] | undefined,
): bigint | undefined {
  const { within, scope } = statement
  const inScope = [...within.parameters, ...within.returns, ...scope]
  const read: WordReader = (id) => {
    const named = inScope.find((other) => other.id === id)
    return named?.slots === 1 ? wordsOf(named)?.[0] : undefined
  }
  const { target, value, whole, operator } = assignmentIn(statement)
  if (whole === undefined || (target !== undefined && !isTarget(target, variable))) return undefined
  if (operator === 'delete' || (operator === '=' && value === undefined))
    return variable.location === 'default' && variable.slots === 1 ? 0n : undefined
  if (value?.nodeType === 'Identifier' && operator === '=' && typeOf(value) === typeOf(variable.node))
    return read(numberAt(value, 'referencedDeclaration'))
  const type = elementaryType(typeIn(variable.node, 'typeString'))
  const own = operator === '=' ? 0n : read(variable.id)
  if (type === undefined || own === undefined) return undefined
  try {
    const right = value === undefined ? constantValue(1n) : valueOf(value, read)
    if (right === undefined) return undefined
    const result = operator === '=' ? right : applyBinary(operator.slice(0, -1), typedValue(type, own), right)
    return convertedWord(type, result)
  } catch (error) {
    // The result does not fit its type.
    if (error instanceof NodeError) return undefined
    throw error
  }
}

/** The value of a computation with variables and numbers; undefined for other expressions. @throws NodeError 'invalidParams' */
function valueOf(node: AstNode | undefined, read: WordReader): Value | undefined {
  const number = rationalOf(node)
  if (number !== undefined) return constantValue(number)
  const type = elementaryType(typeIn(node, 'typeString'))
  if (node === undefined || type === undefined) return undefined
  if (node.nodeType === 'Identifier') {
    const word = read(numberAt(node, 'referencedDeclaration'))
    return word === undefined ? undefined : typedValue(type, word)
  }
  const operator = textAt(node, 'operator') ?? ''
  const [left, right, operand] = OPERANDS.map((member) => valueOf(childAt(node, member), read))
  switch (node.nodeType) {
    case 'Literal':
      return textAt(node, 'kind') === 'bool' ? boolValue(textAt(node, 'value') === 'true') : undefined
    case 'BinaryOperation':
      return left && right && applyBinary(operator, left, right)
    case 'UnaryOperation':
      return operand && ['-', '~', '!'].includes(operator) ? applyUnary(operator, operand) : undefined
    case 'FunctionCall': {
      const argument =
        textAt(node, 'kind') === 'typeConversion' ? valueOf(listAt(node, 'arguments')[0], read) : undefined
      return argument && convertValue(type.label, argument)
    }
    default:
      return undefined
  }
}

const OPERANDS = ['leftExpression', 'rightExpression', 'subExpression']
