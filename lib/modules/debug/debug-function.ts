/** Where the debugger stops: functions of a source and their statements, each with the variables in scope. */

import { listAt, numberAt, textAt, typeIn, type AstNode } from '../../insight/artifacts/ast-node.ts'
import type { SourceUnit } from '../../insight/artifacts/compilation.ts'
import type { SourceRange } from '../../insight/artifacts/source-map.ts'

export type CodeUnitKind = 'function' | 'modifier' | 'constructor' | 'assembly' | 'variable'

/** A function, a modifier, or a state variable with its getter and initial value. */
export interface DebugFunction {
  readonly kind: CodeUnitKind
  readonly name: string
  /** Name and id of its contract; undefined for a function outside of contracts. */
  readonly contract: string | undefined
  readonly contractId: number | undefined
  readonly node: AstNode
  readonly unit: SourceUnit
  readonly range: SourceRange
  readonly parameters: readonly DeclaredVariable[]
  readonly returns: readonly DeclaredVariable[]
  /** Sorted by `order`. */
  readonly statements: readonly DebugStatement[]
  /** For each `_` in a modifier, the variables in scope. */
  readonly placeholders: readonly (readonly DeclaredVariable[])[]
}

export interface DebugStatement {
  readonly node: AstNode
  /** What the statement runs itself: the condition of an `if` or loop, the call of a `try`. */
  readonly head: AstNode
  readonly within: DebugFunction
  readonly range: SourceRange
  /** The statement's number in its function, in the order of execution: the end of a loop's head follows the body. */
  readonly order: number
  /** The loops around it, outermost first, including the loop whose condition it is. */
  readonly loops: readonly AstNode[]
  /** The innermost branch or loop body around it, or the function. */
  readonly block: SourceRange
  /** Variables in scope when it begins, without parameters and return variables, in order of declaration. */
  readonly scope: readonly DeclaredVariable[]
  readonly declares: readonly DeclaredVariable[]
}

export const isInLoopOf = (one: DebugStatement, other: DebugStatement): boolean =>
  one.loops.some((loop) => other.loops.includes(loop))

/** Where the data of a variable is: `default` for value types. */
export type DataLocation = 'default' | 'memory' | 'storage' | 'calldata'

/** A parameter, a return variable or a local variable. */
export interface DeclaredVariable {
  /** Undefined in inline assembly. */
  readonly id: number | undefined
  /** Empty for a parameter without a name. */
  readonly name: string
  readonly node: AstNode
  readonly location: DataLocation
  /** Number of words on the stack. */
  readonly slots: number
  readonly kind: 'parameter' | 'return' | 'local' | 'assembly'
}

export const variablesIn = (
  list: AstNode | undefined,
  kind: DeclaredVariable['kind'],
): readonly DeclaredVariable[] =>
  list === undefined ? [] : listAt(list, 'parameters').map((node) => variableOf(node, kind))

export function variableOf(node: AstNode, kind: DeclaredVariable['kind']): DeclaredVariable {
  const location = textAt(node, 'storageLocation')
  return {
    id: numberAt(node, 'id'),
    name: textAt(node, 'name') ?? '',
    node,
    location:
      location === 'memory' || location === 'storage' || location === 'calldata' ? location : 'default',
    slots: slotsOf(`${typeIn(node, 'typeString')}${location === 'calldata' ? ' calldata' : ''}`),
    kind,
  }
}

/** Words on the stack: offset and length for dynamic call data, address and selector for an external function. */
const slotsOf = (type: string): number =>
  /(^bytes|^string|\[\]) calldata( slice)?$/.test(type) || /^function \(.*\).* external/.test(type) ? 2 : 1

export const assemblyVariable = (node: AstNode): DeclaredVariable => ({
  id: undefined,
  name: textAt(node, 'name') ?? '',
  node,
  location: 'default',
  slots: 1,
  kind: 'assembly',
})

/** A variable with its words, lowest first, or why they are unknown. */
export type FoundLocal = {
  readonly variable: DeclaredVariable
  readonly within: DebugFunction
} & ({ readonly words: readonly bigint[]; readonly step: number } | { readonly unknown: string })
