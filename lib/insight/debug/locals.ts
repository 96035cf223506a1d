/**
 * Finds the words of parameters, return variables and local variables: on the stack, where the legacy pipeline gives each a fixed place,
 * or as rearranged-variables.ts and ir-variables.ts prove them. A word that is not certain is unknown.
 */

import { irVariables } from './ir-variables.ts'
import type { Activation, Visit } from './activation.ts'
import type { Activations } from './activations.ts'
import type { Recording } from './recording.ts'
import { RearrangedVariables, firstWords } from './rearranged-variables.ts'
import type { FoundLocal } from './found-local.ts'
import type { DebugFunction, DebugStatement } from './debug-function.ts'
import { belongsTo, rootFunction, stackShapes, wordsBelow, wordsOf } from './stack-shape.ts'

const OPTIMIZED = 'the optimizer has rearranged this line'
const INLINED = 'the optimizer has inlined this function'
const VIA_IR = 'optimized code of the IR pipeline does not keep variables'
const UNSHAPED = 'the stack is not as this version of solc is known to lay it out'
const NO_SETTINGS = 'the files of the compiler do not say whether it has optimized the code'
const OLD = 'solc before 0.5 lays out variables in another way'

/** Variables in recordings. */
export class Locals {
  readonly #recording: Recording
  readonly #activations: Activations

  constructor(recording: Recording, activations: Activations) {
    this.#recording = recording
    this.#activations = activations
  }

  /** The variables of an activation in scope at a step, in the order of their declaration. */
  at(activation: Activation, step: number): readonly FoundLocal[] {
    const visit = this.#activations.visitAt(activation, step)
    const contract = activation.frame.mapped?.contract
    if (visit === undefined || contract === undefined) return this.#atEntry(activation, step)
    const { settings, compiler } = contract.compilation
    const { declared, frame } = activation
    const { statement } = visit
    const isOwn = declared !== undefined && belongsTo(statement, declared, contract)
    const owner = isOwn ? declared : rootFunction(frame, contract, statement)
    const one = owner ?? statement.within
    if (!settings.isKnown) return all(one, statement, NO_SETTINGS)
    if (settings.viaIr)
      return settings.isOptimized
        ? all(one, statement, VIA_IR)
        : irVariables(this.#recording, this.#activations, visit)
    if (/^0\.[0-4]\./.test(compiler)) return all(one, statement, OLD)
    const base = isOwn
      ? this.#recording.heightAt(activation.entered) - wordsOf(declared.parameters)
      : owner && wordsBelow(owner, frame, contract)
    if (base === undefined) return all(one, statement, INLINED)
    return settings.isOptimized
      ? this.#inOptimized(visit, step, one, base)
      : this.#inLegacy(visit, step, one, base)
  }

  /** The parameters before the first statement. */
  #atEntry(activation: Activation, step: number): readonly FoundLocal[] {
    const { declared: within, frame, entered } = activation
    const { isKnown = false, viaIr = false } = frame.mapped?.contract.compilation.settings ?? {}
    if (within === undefined || !isKnown || viaIr) return []
    let position = this.#recording.heightAt(entered) - wordsOf(within.parameters)
    return within.parameters.map((variable) => {
      const words = this.#recording.wordsAt(step, position, variable.slots)
      position += variable.slots
      return words === undefined ? { variable, within, unknown: UNSHAPED } : { variable, within, words, step }
    })
  }

  #inLegacy(visit: Visit, step: number, one: DebugFunction, base: number): readonly FoundLocal[] {
    const { activation, statement } = visit
    const contract = activation.frame.mapped?.contract
    const shapes = contract === undefined ? [] : stackShapes(one, statement, contract)
    const height = this.#recording.heightAt(visit.step)
    const exact = shapes.find(({ words }) => base + words === height)
    // The first operand may be on the stack already: a constant has the place of its declaration.
    const shape = exact ?? (shapes.length === 1 ? shapes[0] : undefined)
    if (shape === undefined) return all(one, statement, UNSHAPED)
    const last = this.#lastOf(visit, step)
    return shape.variables.map(({ variable, within, offset }): FoundLocal => {
      const words = this.#recording.wordsAt(last, base + offset, variable.slots) ?? firstWords(variable)
      return words === undefined
        ? { variable, within, unknown: UNSHAPED }
        : { variable, within, words, step: last }
    })
  }

  /**
   * The last step at which the visited statement has its variables: the code at the end of a function or of a block moves them. Within
   * a function that the statement calls, it is that of the call.
   */
  #lastOf(visit: Visit, step: number): number {
    const { activation, statement } = visit
    const belongs = (at: number): boolean =>
      this.#activations.at(at) === activation &&
      this.#recording.frameAt(at) === activation.frame &&
      this.#activations.statementAt(at) === statement
    let at = step
    while (at > visit.step && !belongs(at)) at--
    const isNext = at < step && this.#recording.frameAt(at + 1) === activation.frame
    return isNext ? at + 1 : at
  }

  #inOptimized(visit: Visit, step: number, one: DebugFunction, base: number): readonly FoundLocal[] {
    const { activation, statement } = visit
    const contract = activation.frame.mapped?.contract
    const [shape, other] = contract === undefined ? [] : stackShapes(one, statement, contract)
    if (shape === undefined || other !== undefined) return all(one, statement, OPTIMIZED)
    const found = new RearrangedVariables(this.#recording, this.#activations, { one, base, now: visit, step })
    return shape.variables.map(({ variable, within }): FoundLocal => {
      const words = found.wordsOf(variable, visit)
      return words === undefined ? { variable, within, unknown: OPTIMIZED } : { variable, within, ...words }
    })
  }
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
