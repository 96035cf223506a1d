/** What the debugger stops in: functions of a source and their statements, each with the variables in scope. */

import type { AstNode } from '../artifacts/ast-node.ts'
import type { SourceUnit } from '../artifacts/compilation.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import type { DeclaredVariable } from './declared-variables.ts'

/** Kinds of what can be running. */
export type CodeUnitKind = 'function' | 'modifier' | 'constructor' | 'assembly' | 'variable'

/** A function, a modifier, or a state variable with its getter and its first value. */
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
  /** By their order. */
  readonly statements: readonly DebugStatement[]
  /** Of each `_` in a modifier, the variables in scope. */
  readonly placeholders: readonly (readonly DeclaredVariable[])[]
}

/** A statement at which the debugger stops. */
export interface DebugStatement {
  readonly node: AstNode
  /** What it runs itself: of an `if` or a loop the condition, of a `try` the call. */
  readonly head: AstNode
  readonly within: DebugFunction
  /** The part of the source that its head covers. */
  readonly range: SourceRange
  /** Its number among those of its function, in the order in which they run: the end of a loop's head follows its body. */
  readonly order: number
  /** The loops around it, outermost first; with that whose condition it is. */
  readonly loops: readonly AstNode[]
  /** The innermost body of a branch or a loop around it, or the function. */
  readonly block: SourceRange
  /** Variables in scope when it begins, without parameters and return variables, in the order of their declaration. */
  readonly scope: readonly DeclaredVariable[]
  readonly declares: readonly DeclaredVariable[]
}

/** Whether two statements are in the same loop. */
export const isInLoopOf = (one: DebugStatement, other: DebugStatement): boolean =>
  one.loops.some((loop) => other.loops.includes(loop))
