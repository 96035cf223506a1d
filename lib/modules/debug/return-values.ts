/** What functions returned that a statement has called. */

import { JUMP } from '../../insight/artifacts/source-map.ts'
import { childAt } from '../../insight/artifacts/ast-node.ts'
import { typesOf } from '../../insight/artifacts/storage-layout.ts'
import type { Activation } from './activation.ts'
import { calledFrom } from './motions.ts'
import { wordsOf } from './stack-shape.ts'
import type { SteppedExecution } from './stepped-execution.ts'
import { encodedValues } from './values/byte-values.ts'
import { valueOnStack } from './values/stack-values.ts'
import type { MachineView, Part } from './values/value.ts'

/** The values that functions returned to an activation since the statement before began, as far as they are known. */
export function returnedValues(
  execution: SteppedExecution,
  activation: Activation,
  step: number,
  view: MachineView,
): readonly Part[] {
  const { activations } = execution
  const current = activations.visitAt(activation, step)
  const from = current?.step === step ? activations.visitAt(activation, step - 1) : current
  if (from === undefined) return []
  return calledFrom(activations, from.step)
    .filter(([called]) => endOf(called) <= step)
    .flatMap(([called]) => valuesOf(execution, called, view))
}

const endOf = ({ caller, frame, left }: Activation): number =>
  caller?.frame === frame ? left : Math.max(left, frame.end)

function valuesOf(
  execution: SteppedExecution,
  { declared, caller, frame, left }: Activation,
  view: MachineView,
): readonly Part[] {
  const contract = frame.mapped?.contract
  if (declared === undefined || contract === undefined || declared.returns.length === 0) return []
  const named = (index: number): string =>
    `${declared.name} returned${declared.returns.length === 1 ? '' : ` [${index}]`}`
  const types = declared.returns.map(({ node }) => typesOf(contract).typeOf(childAt(node, 'typeName')))
  if (isEntry(declared.node['functionSelector'], caller)) {
    if (frame.exit?.status !== 'success') return []
    const given = types.map((type) => ({ label: '', type }))
    return encodedValues(given, frame.exit.output, 0, view).map(([, value], index) => [named(index), value])
  }
  const { recording } = execution
  const { settings } = contract.compilation
  if (recording.opcodeAt(left - 1) !== JUMP || (settings.viaIr && settings.isOptimized)) return []
  let position = recording.heightAt(left - 1) - 1 - wordsOf(declared.returns)
  return declared.returns.flatMap(({ slots, location }, index): readonly Part[] => {
    const [type, words] = [types[index], recording.wordsAt(left - 1, position, slots)]
    position += slots
    return type === undefined || words === undefined
      ? []
      : [[named(index), valueOnStack(type, location, words, view)]]
  })
}

/** Whether a function was called by a message: its caller is the code of a contract, which has no statements. */
const isEntry = (selector: unknown, caller: Activation | undefined): boolean =>
  typeof selector === 'string' && caller?.declared === undefined && caller?.visits.length === 0
