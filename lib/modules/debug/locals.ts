/**
 * Finds the words of parameters, return variables and local variables: on the stack, where the legacy pipeline gives each a fixed place,
 * or as rearranged-variables.ts and ir-variables.ts prove them. A word that is not certain is unknown.
 */

import { irVariables } from './ir-variables.ts'
import type { Activation, Visit } from './activation.ts'
import type { Activations } from './activations.ts'
import { RearrangedVariables, firstWords, type RunningStatement } from './rearranged-variables.ts'
import type { DebugFunction, DebugStatement, FoundLocal } from './debug-function.ts'
import { belongsTo, rootFunction, stackShapes, wordsBelow, wordsOf } from './stack-shape.ts'

const OPTIMIZED = 'the optimizer has rearranged this line'
const INLINED = 'the optimizer has inlined this function'
const VIA_IR = 'optimized code of the IR pipeline does not keep variables'
const UNSHAPED = 'the stack is not as this version of solc is known to lay it out'
const NO_SETTINGS = 'the files of the compiler do not say whether it has optimized the code'
const OLD = 'solc before 0.5 lays out variables in another way'

/** The variables of an activation in scope at a step, in the order of their declaration. */
export function localsAt(
  activations: Activations,
  activation: Activation,
  step: number,
): readonly FoundLocal[] {
  const visit = activations.visitAt(activation, step)
  const contract = activation.frame.mapped?.contract
  if (visit === undefined || contract === undefined) return atEntry(activations, activation, step)
  const { settings, compiler } = contract.compilation
  const { declared, frame } = activation
  const { statement } = visit
  const isOwn = declared !== undefined && belongsTo(statement, declared, contract)
  const owner = isOwn ? declared : rootFunction(frame, contract, statement)
  const one = owner ?? statement.within
  if (!settings.isKnown) return all(one, statement, NO_SETTINGS)
  if (settings.viaIr)
    return settings.isOptimized ? all(one, statement, VIA_IR) : irVariables(activations, visit)
  if (/^0\.[0-4]\./.test(compiler)) return all(one, statement, OLD)
  const base = isOwn
    ? activations.recording.heightAt(activation.entered) - wordsOf(declared.parameters)
    : owner && wordsBelow(owner, frame, contract)
  if (base === undefined) return all(one, statement, INLINED)
  const running = { one, base, now: visit, step }
  return settings.isOptimized ? inOptimized(activations, running) : inLegacy(activations, running)
}

/** The parameters before the first statement. */
function atEntry(activations: Activations, activation: Activation, step: number): readonly FoundLocal[] {
  const { declared: within, frame, entered } = activation
  const { isKnown = false, viaIr = false } = frame.mapped?.contract.compilation.settings ?? {}
  if (within === undefined || !isKnown || viaIr) return []
  let position = activations.recording.heightAt(entered) - wordsOf(within.parameters)
  return within.parameters.map((variable) => {
    const words = activations.recording.wordsAt(step, position, variable.slots)
    position += variable.slots
    return words === undefined ? { variable, within, unknown: UNSHAPED } : { variable, within, words, step }
  })
}

function inLegacy(activations: Activations, running: RunningStatement): readonly FoundLocal[] {
  const { one, base, now: visit, step } = running
  const { activation, statement } = visit
  const contract = activation.frame.mapped?.contract
  const shapes = contract === undefined ? [] : stackShapes(one, statement, contract)
  const height = activations.recording.heightAt(visit.step)
  const exact = shapes.find(({ words }) => base + words === height)
  // The first operand may be on the stack already: a constant has the place of its declaration.
  const shape = exact ?? (shapes.length === 1 ? shapes[0] : undefined)
  if (shape === undefined) return all(one, statement, UNSHAPED)
  const last = lastOf(activations, visit, step)
  return shape.variables.map(({ variable, within, offset }): FoundLocal => {
    const words = activations.recording.wordsAt(last, base + offset, variable.slots) ?? firstWords(variable)
    return words === undefined
      ? { variable, within, unknown: UNSHAPED }
      : { variable, within, words, step: last }
  })
}

/**
 * The last step at which the visited statement has its variables: the code at the end of a function or of a block moves them. Within
 * a function that the statement calls, it is that of the call.
 */
function lastOf(activations: Activations, visit: Visit, step: number): number {
  const { activation, statement } = visit
  const belongs = (at: number): boolean =>
    activations.at(at) === activation &&
    activations.recording.frameAt(at) === activation.frame &&
    activations.statementAt(at) === statement
  let at = step
  while (at > visit.step && !belongs(at)) at--
  const isNext = at < step && activations.recording.frameAt(at + 1) === activation.frame
  return isNext ? at + 1 : at
}

function inOptimized(activations: Activations, running: RunningStatement): readonly FoundLocal[] {
  const { one, now: visit } = running
  const { activation, statement } = visit
  const contract = activation.frame.mapped?.contract
  const [shape, other] = contract === undefined ? [] : stackShapes(one, statement, contract)
  if (shape === undefined || other !== undefined) return all(one, statement, OPTIMIZED)
  const found = new RearrangedVariables(activations, running)
  return shape.variables.map(({ variable, within }): FoundLocal => {
    const words = found.wordsOf(variable, visit)
    return words === undefined ? { variable, within, unknown: OPTIMIZED } : { variable, within, ...words }
  })
}

/** All variables of a function, with a reason why none is known. */
const all = (
  one: DebugFunction,
  { scope, within }: DebugStatement,
  unknown: string,
): readonly FoundLocal[] => [
  ...[...one.parameters, ...one.returns].map((variable) => ({ variable, within: one, unknown })),
  ...scope.map((variable) => ({ variable, within, unknown })),
]
