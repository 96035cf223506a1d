/** Values of parameters as the call data has them: they stay known where the stack is not, if nothing assigns the parameter. */

import { childAt, numberAt } from '../artifacts/ast-node.ts'
import { typesOf } from '../artifacts/storage-layout.ts'
import { calledFunction } from '../explain/function-graph.ts'
import { isCreation } from '../trace/call-tree.ts'
import { assigns } from './assignments.ts'
import type { RunningFunction } from './call-stack.ts'
import type { DeclaredVariable } from './declared-variables.ts'
import { encodedValues } from './values/byte-values.ts'
import type { MachineView, UnknownValue, Value } from './values/value.ts'

/** The value of a parameter of the function that a message called; undefined for other variables, and for what is in memory. */
export function passedValue(
  { declared, activation: { frame, caller } }: RunningFunction,
  variable: DeclaredVariable,
  view: MachineView,
): Value | UnknownValue | undefined {
  const contract = frame.mapped?.contract
  const index = declared?.parameters.indexOf(variable) ?? -1
  if (declared === undefined || contract === undefined || index < 0 || isCreation(frame)) return undefined
  // A base function that `super` calls has the same selector.
  const isCalled = calledFunction(frame, contract)?.id === numberAt(declared.node, 'id')
  const isInner = caller?.frame === frame && (caller.declared !== undefined || caller.visits.length > 0)
  if (!isCalled || isInner || variable.location === 'memory' || assigns(declared.node, variable))
    return undefined
  const types = declared.parameters.map(({ node, name }) => ({
    label: name,
    type: typesOf(contract).typeOf(childAt(node, 'typeName')),
  }))
  return encodedValues(types, frame.input, 4, view)[index]?.[1]
}
