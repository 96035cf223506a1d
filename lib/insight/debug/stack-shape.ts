/** The variables that a function of the legacy pipeline of solc has on the stack at a statement, in their order (ContractCompiler.cpp). */

import { childAt, listAt, numberAt, textAt } from '../artifacts/ast-node.ts'
import type { CompiledContract } from '../artifacts/compilation.ts'
import { declaredContract, neededSources } from '../artifacts/solidity-ast.ts'
import { oncePer } from '../../base/once.ts'
import { sourceIndex } from './source-index.ts'
import type { DeclaredVariable } from './declared-variables.ts'
import type { DebugFunction, DebugStatement } from './debug-function.ts'

/** A variable on the stack, and the function that declares it. */
export interface StackedVariable {
  readonly variable: DeclaredVariable
  readonly within: DebugFunction
  /** Number of words between the lowest variable of the function and this one. */
  readonly offset: number
}

/** The variables of a function that are on the stack at a statement, without others in between. */
export interface StackShape {
  readonly variables: readonly StackedVariable[]
  /** Words of all of them. */
  readonly words: number
}

/** The functions in the sources of a contract. */
const functionsOf = oncePer((contract: CompiledContract): readonly DebugFunction[] =>
  neededSources(contract).flatMap((unit) => sourceIndex(unit)?.functions ?? []),
)

/** The modifiers of a function, as they are overridden in a contract, in their order. */
export function modifiersOf(one: DebugFunction, contract: CompiledContract): readonly DebugFunction[] {
  const order = declaredContract(contract)?.linearization ?? []
  const all = functionsOf(contract)
  return listAt(one.node, 'modifiers').flatMap((invocation) => {
    const id = numberAt(childAt(invocation, 'modifierName'), 'referencedDeclaration')
    const named = all.find(({ kind, node }) => kind === 'modifier' && numberAt(node, 'id') === id)
    if (named === undefined) return []
    const isQualified = textAt(childAt(invocation, 'modifierName'), 'name')?.includes('.') === true
    const overrides = order.map((contractId) =>
      all.find(
        (other) => other.kind === 'modifier' && other.name === named.name && other.contractId === contractId,
      ),
    )
    return [(isQualified ? undefined : overrides.find((other) => other !== undefined)) ?? named]
  })
}

/**
 * The shapes that the stack can have at a statement that runs in a function: its own, or of one of its modifiers. More than one if a
 * modifier has several placeholders, or is used twice.
 */
export function stackShapes(
  one: DebugFunction,
  statement: DebugStatement,
  contract: CompiledContract,
): readonly StackShape[] {
  let before: readonly (readonly [DebugFunction, readonly DeclaredVariable[]])[][] = [
    [[one, [...one.parameters, ...one.returns]]],
  ]
  const shapes: StackShape[] = []
  for (const modifier of modifiersOf(one, contract)) {
    if (modifier === statement.within)
      shapes.push(
        ...before.map((parts) =>
          shapeOf([...hidden(parts, modifier), [modifier, [...modifier.parameters, ...statement.scope]]]),
        ),
      )
    const ends = modifier.placeholders.length === 0 ? [[]] : modifier.placeholders
    before = before.flatMap((parts) =>
      ends.map((scope) => [...parts, [modifier, [...modifier.parameters, ...scope]] as const]),
    )
  }
  if (statement.within !== one) return shapes
  return before.map((parts) => shapeOf([...parts, [one, statement.scope]]))
}

/** Variables of an outer use of the same modifier, which has the same names, are not in scope. */
const hidden = (parts: Parts, modifier: DebugFunction): Parts =>
  parts.map(([within, variables]) => [
    within,
    within === modifier ? variables.map((variable) => ({ ...variable, name: '' })) : variables,
  ])

type Parts = readonly (readonly [DebugFunction, readonly DeclaredVariable[]])[]

function shapeOf(parts: readonly (readonly [DebugFunction, readonly DeclaredVariable[]])[]): StackShape {
  const variables: StackedVariable[] = []
  let words = 0
  for (const [within, declared] of parts) {
    for (const variable of declared) {
      variables.push({ variable, within, offset: words })
      words += variable.slots
    }
  }
  return { variables, words }
}

/** Words of variables. */
export const wordsOf = (variables: readonly DeclaredVariable[]): number =>
  variables.reduce((sum, { slots }) => sum + slots, 0)
