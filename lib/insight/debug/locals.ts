/** Finds the words of parameters, return variables and local variables on the stack. A word that is not certain is unknown. */

import { irVariables } from './ir-variables.ts'
import type { Activation, Activations, Visit } from './activations.ts'
import type { Recording } from './recording.ts'
import { RearrangedVariables, firstWords } from './rearranged-variables.ts'
import type { FoundLocal } from './found-local.ts'
import type { DebugFunction, DebugStatement } from './debug-function.ts'
import { modifiersOf, stackShapes, wordsOf } from './stack-shape.ts'
import type { StackShape } from './stack-shape.ts'

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
    const { declared } = activation
    const { statement } = visit
    const owner = declared !== undefined && belongsTo(statement, declared, activation) ? declared : undefined
    if (!settings.isKnown) return all(owner ?? statement.within, statement, NO_SETTINGS)
    if (settings.viaIr)
      return settings.isOptimized
        ? all(owner ?? statement.within, statement, VIA_IR)
        : irVariables(this.#recording, this.#activations, visit)
    const one = owner ?? statement.within
    if (/^0\.[0-4]\./.test(compiler)) return all(one, statement, OLD)
    const shapes = stackShapes(one, statement, contract)
    if (!settings.isOptimized)
      return this.#inLegacy(visit, step, { shapes, one, hasEntry: owner !== undefined })
    const [shape] = shapes
    if (shape === undefined || shapes.length > 1) return all(one, statement, OPTIMIZED)
    if (owner === undefined) return all(one, statement, INLINED)
    return this.#inOptimized(visit, step, owner, shape)
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

  #inLegacy(
    visit: Visit,
    step: number,
    { shapes, one, hasEntry }: { shapes: readonly StackShape[]; one: DebugFunction; hasEntry: boolean },
  ): readonly FoundLocal[] {
    const { activation, statement } = visit
    const height = this.#recording.heightAt(visit.step)
    const base = hasEntry ? this.#recording.heightAt(activation.entered) - wordsOf(one.parameters) : undefined
    if (base === undefined) return this.#inConstructor(visit, step, shapes, one)
    const exact = shapes.find(({ words }) => base + words === height)
    // The first operand may be on the stack already: a constant has the place of its declaration.
    const shape = exact ?? (shapes.length === 1 ? shapes[0] : undefined)
    if (shape === undefined) return all(one, statement, UNSHAPED)
    return this.#read(shape, base, this.#lastOf(visit, step))
  }

  /** A constructor has no entry of its own: the lowest of its statements has nothing but its variables on the stack. */
  #inConstructor(
    visit: Visit,
    step: number,
    shapes: readonly StackShape[],
    one: DebugFunction,
  ): readonly FoundLocal[] {
    const { activation, statement } = visit
    const contract = activation.frame.mapped?.contract
    const [shape] = shapes
    const own = activation.visits.filter((each) => each.statement.within === one)
    // The operands of a single statement may be there already, unless it follows an instruction without a result.
    const isCertain = own.length > 1 || NO_RESULT.has(this.#recording.opcodeAt(visit.step - 1))
    if (contract === undefined || shape === undefined || !isCertain) return all(one, statement, UNSHAPED)
    const bases = own.flatMap((each) =>
      stackShapes(one, each.statement, contract).map(
        ({ words }) => this.#recording.heightAt(each.step) - words,
      ),
    )
    return this.#read(shape, Math.min(...bases), this.#lastOf(visit, step))
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

  #read(shape: StackShape, base: number, step: number) {
    return shape.variables.map(({ variable, within, offset }): FoundLocal => {
      const words = this.#recording.wordsAt(step, base + offset, variable.slots) ?? firstWords(variable)
      return words === undefined ? { variable, within, unknown: UNSHAPED } : { variable, within, words, step }
    })
  }

  #inOptimized(visit: Visit, step: number, one: DebugFunction, shape: StackShape): readonly FoundLocal[] {
    const base = this.#recording.heightAt(visit.activation.entered) - wordsOf(one.parameters)
    const found = new RearrangedVariables(this.#recording, this.#activations, { one, base })
    return shape.variables.map(({ variable, within }): FoundLocal => {
      const words = found.wordsOf(variable, visit, step)
      return words === undefined ? { variable, within, unknown: OPTIMIZED } : { variable, within, ...words }
    })
  }
}

/** POP, JUMPI, JUMPDEST. */
const NO_RESULT: ReadonlySet<number> = new Set([0x50, 0x57, 0x5b])

/** Whether a statement is one of a function, or of one of its modifiers. */
function belongsTo({ within }: DebugStatement, declared: DebugFunction, { frame }: Activation): boolean {
  const contract = frame.mapped?.contract
  return within === declared || (contract !== undefined && modifiersOf(declared, contract).includes(within))
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
