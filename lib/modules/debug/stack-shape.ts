/** The variables that a function compiled by the legacy pipeline has on the stack at a statement, in order (ContractCompiler.cpp). */

import { childAt, listAt, numberAt, textAt } from '../../insight/artifacts/ast-node.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import { declaredContract, neededSources } from '../../insight/artifacts/solidity-ast.ts'
import { calledFunction } from '../../insight/explain/function-graph.ts'
import { isCreation } from '../../insight/replay/call-tree.ts'
import type { RecordedFrame } from './recording.ts'
import { oncePer } from '../../base/once.ts'
import { functionsIn } from './source-index.ts'
import type { DebugFunction, DebugStatement, DeclaredVariable } from './debug-function.ts'

export interface StackedVariable {
  readonly variable: DeclaredVariable
  readonly within: DebugFunction
  /** Number of words between the function's lowest variable and this one. */
  readonly offset: number
}

/** A function's variables on the stack at a statement, without others in between. */
export interface StackShape {
  readonly variables: readonly StackedVariable[]
  readonly words: number
}

const functionsOf = oncePer((contract: CompiledContract): readonly DebugFunction[] =>
  neededSources(contract).flatMap(functionsIn),
)

/** The function that code runs without a jump into it: a constructor, or the function that a message called. */
export function rootFunction(
  frame: RecordedFrame,
  contract: CompiledContract,
  statement: DebugStatement,
): DebugFunction | undefined {
  const called = isCreation(frame) ? undefined : calledFunction(frame, contract)?.id
  return functionsOf(contract).find(
    (declared) =>
      (isCreation(frame) ? declared.kind === 'constructor' : numberAt(declared.node, 'id') === called) &&
      belongsTo(statement, declared, contract),
  )
}

/** Words on the stack below such a function's variables; undefined if unknown. */
export function wordsBelow(
  declared: DebugFunction,
  frame: RecordedFrame,
  contract: CompiledContract,
): number | undefined {
  const { linearization = [], kind } = declaredContract(contract) ?? {}
  if (declared.kind === 'constructor') {
    // Constructors of derived contracts have their parameters on the stack.
    const derived = linearization.slice(0, linearization.indexOf(declared.contractId ?? -1))
    const constructors = functionsOf(contract).filter(
      (other) => other.kind === 'constructor' && derived.includes(other.contractId ?? -1),
    )
    return wordsOf(constructors.flatMap(({ parameters }) => parameters))
  }
  if (kind === 'library') return undefined
  // The selector is on the stack if there are functions to choose from. A chosen function also has its return address there.
  if (typeof declared.node['functionSelector'] === 'string') return 2
  const isChosen = frame.input.length >= 4 && contract.abi.some(({ type }) => type === 'function')
  return isChosen ? 1 : 0
}

/** Whether a statement belongs to a function or one of its modifiers. */
export const belongsTo = (
  { within }: DebugStatement,
  declared: DebugFunction,
  contract: CompiledContract,
): boolean => within === declared || modifiersOf(declared, contract).includes(within)

/** A function's modifiers in order, with their overrides in a contract. */
export function modifiersOf(declared: DebugFunction, contract: CompiledContract): readonly DebugFunction[] {
  const order = declaredContract(contract)?.linearization ?? []
  const all = functionsOf(contract)
  return listAt(declared.node, 'modifiers').flatMap((invocation) => {
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
 * The possible stack shapes at a statement of a function or one of its modifiers. There are several if a modifier has several
 * placeholders or is used twice.
 */
export function stackShapes(
  declared: DebugFunction,
  statement: DebugStatement,
  contract: CompiledContract,
): readonly StackShape[] {
  let before: readonly (readonly [DebugFunction, readonly DeclaredVariable[]])[][] = [
    [[declared, [...declared.parameters, ...declared.returns]]],
  ]
  const shapes: StackShape[] = []
  for (const modifier of modifiersOf(declared, contract)) {
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
  if (statement.within !== declared) return shapes
  return before.map((parts) => shapeOf([...parts, [declared, statement.scope]]))
}

/** Variables of an outer use of the same modifier have the same names and are not in scope. */
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

export const wordsOf = (variables: readonly DeclaredVariable[]): number =>
  variables.reduce((sum, { slots }) => sum + slots, 0)
