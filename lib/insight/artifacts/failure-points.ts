/** Finds the expressions and statements of a function that can make it fail, and how. */

import { childAt, listAt, numberAt, rangeOf, textAt, typeOf, type AstNode } from './ast-node.ts'
import type { SourceRange } from './source-map.ts'

/** How a place can make a function fail. */
export type FailurePointKind =
  | 'text'
  | 'custom error'
  | 'bare'
  | 'assert'
  | 'arithmetic'
  | 'division'
  | 'index'
  | 'slice'
  | 'pop'
  | 'decode'
  | 'enum'
  | 'assembly'
  | 'call'
  | 'creation'

/** A place in a function that can make it fail. */
export interface FailurePoint {
  readonly kind: FailurePointKind
  readonly range: SourceRange
  /** Literal text of a `require` or `revert`, or name of a custom error; undefined if it is not in the source. */
  readonly text: string | undefined
  /** Id of the function that a call names. */
  readonly declaration: number | undefined
}

type Found = Pick<FailurePoint, 'kind'> & Partial<FailurePoint>

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '**', '/', '++', '--'])
const DIVISION: ReadonlySet<string> = new Set(['/', '%'])

/** Builtin functions that call another account. */
const SENDING = /^(?:transfer|send|call|delegatecall|staticcall|callcode)$/

/** The failure points among the nodes of a function. */
export const failurePoints = (nodes: readonly AstNode[]): readonly FailurePoint[] =>
  nodes.flatMap((node) =>
    foundAt(node).map((found) => ({
      text: undefined,
      declaration: undefined,
      range: rangeOf(node),
      ...found,
    })),
  )

function foundAt(node: AstNode): readonly Found[] {
  switch (node.nodeType) {
    case 'FunctionCall':
      return callAt(node)
    case 'RevertStatement':
      return [{ kind: 'custom error', text: calledName(childAt(node, 'errorCall')) }]
    case 'YulFunctionCall': {
      const kind = ASSEMBLY.get(textAt(childAt(node, 'functionName'), 'name'))
      return kind === undefined ? [] : [{ kind }]
    }
    case 'IndexAccess':
      return [{ kind: 'index' }]
    case 'IndexRangeAccess':
      return [{ kind: 'slice' }]
    case 'BinaryOperation':
    case 'UnaryOperation':
    case 'Assignment':
      return operationAt(node)
    default:
      return []
  }
}

function operationAt(node: AstNode): readonly Found[] {
  const operator = (textAt(node, 'operator') ?? '').replace(/(?<=.)=$/, '')
  const found: Found[] = []
  if (ARITHMETIC.has(operator)) found.push({ kind: 'arithmetic' })
  if (DIVISION.has(operator)) found.push({ kind: 'division' })
  return found
}

function callAt(node: AstNode): readonly Found[] {
  const name = calledName(node)
  const called = calledOf(node)
  if (node['kind'] === 'typeConversion') return typeOf(node).startsWith('t_enum') ? [{ kind: 'enum' }] : []
  const type = typeOf(called)
  if (type.startsWith('t_function_creation')) return [{ kind: 'creation' }]
  if (type.startsWith('t_function_external') || type.startsWith('t_function_delegatecall'))
    return [{ kind: 'call', text: name, declaration: numberAt(called, 'referencedDeclaration') }]
  if (type.startsWith('t_function_bare') || (SENDING.test(name ?? '') && called?.nodeType === 'MemberAccess'))
    return [{ kind: 'call' }]
  if (name === 'decode' && typeOf(childAt(called ?? node, 'expression')).startsWith('t_magic_abi'))
    return [{ kind: 'decode' }]
  if (called?.nodeType === 'Identifier') return builtinAt(name, listAt(node, 'arguments'))
  return name === 'pop' ? [{ kind: 'pop' }] : []
}

const ASSEMBLY: ReadonlyMap<string | undefined, FailurePointKind> = new Map([
  ['revert', 'assembly'],
  ['invalid', 'assembly'],
  ['call', 'call'],
  ['callcode', 'call'],
  ['delegatecall', 'call'],
  ['staticcall', 'call'],
  ['create', 'creation'],
  ['create2', 'creation'],
])

function builtinAt(name: string | undefined, values: readonly AstNode[]): readonly Found[] {
  if (name === 'require') return [reasonOf(values[1])]
  if (name === 'revert') return [reasonOf(values[0])]
  if (name === 'assert') return [{ kind: 'assert' }]
  return name === 'addmod' || name === 'mulmod' ? [{ kind: 'division' }] : []
}

function reasonOf(value: AstNode | undefined): Found {
  if (value === undefined) return { kind: 'bare' }
  // Since 0.8.26 `require` takes a custom error.
  if (value.nodeType === 'FunctionCall' && typeOf(value).startsWith('t_error'))
    return { kind: 'custom error', text: calledName(value) }
  return { kind: 'text', text: value.nodeType === 'Literal' ? textAt(value, 'value') : undefined }
}

export function calledName(call: AstNode | undefined): string | undefined {
  const called = call && calledOf(call)
  return textAt(called, 'memberName') ?? textAt(called, 'name')
}

/** The expression that a call names, without options such as `{value: 1}`. */
export function calledOf(call: AstNode): AstNode | undefined {
  let called = childAt(call, 'expression')
  while (called?.nodeType === 'FunctionCallOptions') called = childAt(called, 'expression')
  return called
}
