/**
 * Words of variables in code that the legacy optimizer has rearranged. A stack word counts only at an end of the run of
 * instructions, where the optimizer keeps the stack as the source requires, and only if exactly the assignments before the
 * statement have run there. Otherwise the last assignment, if known, is computed from the words of other variables.
 */

import { bisect } from '../../base/bisect.ts'
import { oncePer } from '../../base/once.ts'
import { typeOf } from '../../insight/artifacts/ast-node.ts'
import type { Activation, Visit, Activations } from './activations.ts'
import { assignsIn, assignsLast, wordAfter } from './assignments.ts'
import { codeStatements } from './code-statements.ts'
import type { DebugFunction, DebugStatement, DeclaredVariable } from './debug-function.ts'
import { mayRunBetween, settledHeight } from './rearranged-code.ts'
import type { Recording } from './recording.ts'
import { settledSteps, stepWithEffects, type SettledSteps } from './settled-steps.ts'
import { stackShapes, wordsOf } from './stack-shape.ts'

/** Words, and the step at which memory has what they point to. */
export interface FoundWords {
  readonly words: readonly bigint[]
  readonly step: number
}

/** Maximum number of assignments through which a word is computed. */
const MAX_DEPTH = 16

/** A function, the stack height below its variables, and its visit, which continues at a step. */
export interface RunningStatement {
  readonly declared: DebugFunction
  readonly base: number
  readonly now: Visit
  readonly step: number
}

/** The variables of one run of a function. */
export class RearrangedVariables {
  readonly #recording: Recording
  readonly #declared: DebugFunction
  /** Stack height below its variables. */
  readonly #base: number
  readonly #settledAt: (visit: Visit) => SettledSteps
  readonly #known = oncePer((_visit: Visit) => new Map<DeclaredVariable['node'], FoundWords | undefined>())

  constructor(activations: Activations, { declared, base, now, step }: RunningStatement) {
    this.#recording = activations.recording
    this.#declared = declared
    this.#base = base
    this.#settledAt = oncePer((visit) => settledSteps(activations, visit, visit === now ? step : visit.step))
  }

  /** The words of a variable that is in scope at a visit. */
  wordsOf(variable: DeclaredVariable, visit: Visit, depth = 0): FoundWords | undefined {
    const known = this.#known(visit)
    if (!known.has(variable.node))
      known.set(variable.node, this.#onStack(variable, visit) ?? this.#computed(variable, visit, depth))
    return known.get(variable.node)
  }

  #onStack(variable: DeclaredVariable, visit: Visit): FoundWords | undefined {
    const { statement, activation } = visit
    const contract = activation.frame.mapped?.contract
    const [shape, other] = contract === undefined ? [] : stackShapes(this.#declared, statement, contract)
    const offset = shape?.variables.find((each) => each.variable.node === variable.node)?.offset
    if (visit.isDoubtful || other !== undefined || offset === undefined) return undefined
    const settled = this.#settledAt(visit)
    const at = settledStep(variable, statement, settled)
    const end = this.#base + offset + variable.slots
    if (at === undefined || (at === settled.after && end > settledHeight(this.#recording, at)))
      return undefined
    const words = this.#recording.wordsAt(at, this.#base + offset, variable.slots) ?? firstWords(variable)
    return words && { words, step: at }
  }

  /** The words that the last assignment before a visit or the function's beginning gave. */
  #computed(variable: DeclaredVariable, visit: Visit, depth: number): FoundWords | undefined {
    const { statement: at, activation } = visit
    if (at.within !== this.#declared || depth > MAX_DEPTH) return undefined
    const assigned = lastAssignment(variable, visit)
    if (assigned === 'unknown') return undefined
    if (assigned === undefined) return this.#atEntry(variable, activation)
    const word = wordAfter(
      assigned.statement,
      variable,
      (read) => this.wordsOf(read, assigned, depth + 1)?.words,
    )
    return word === undefined ? undefined : { words: [word], step: visit.step }
  }

  #atEntry(variable: DeclaredVariable, { entered, declared }: Activation): FoundWords | undefined {
    if (variable.kind === 'return') {
      const words = firstWords(variable)
      return words && { words, step: entered }
    }
    const index = declared?.parameters.indexOf(variable) ?? -1
    if (declared === undefined || index < 0) return undefined
    const below = this.#base + wordsOf(declared.parameters.slice(0, index))
    const words = this.#recording.wordsAt(entered, below, variable.slots)
    return words && { words, step: entered }
  }
}

/** Maximum number of visits searched for an assignment. */
const MAX_SEARCHED = 1024

/** The visit that gave a variable the value it has at another visit; undefined if the function began with it. */
function lastAssignment(
  variable: DeclaredVariable,
  { step, statement: at, activation: { visits, frame } }: Visit,
): Visit | 'unknown' | undefined {
  const assigning = at.within.statements.filter((statement) => assignsIn(statement, variable))
  if (assigning.length === 0) return undefined
  const end = bisect(visits.length, (index) => (visits[index]?.step ?? step) <= step)
  const before = visits.slice(Math.max(0, end - 1 - MAX_SEARCHED), end)
  const index = before.findLastIndex((visit) => visit.step < step && assigning.includes(visit.statement))
  const assigned = before[index]
  const isDoubtful = before.slice(Math.max(0, index)).some((visit) => visit.isDoubtful)
  if (isDoubtful || (assigned === undefined && end > MAX_SEARCHED)) return 'unknown'
  // Statements without instructions are not always visited.
  const code = frame.mapped && codeStatements(frame.mapped)
  const isMissed = (statement: DebugStatement): boolean =>
    statement !== assigned?.statement &&
    code?.has(statement) !== true &&
    mayRunBetween(assigned?.statement, statement, at)
  return assigning.some(isMissed) ? 'unknown' : assigned
}

/** Where empty values are in memory (Solidity documentation, "Layout in Memory"). */
const ZERO_SLOT = 0x60n

/** Words of an unassigned return variable, unless it has its own memory. */
export function firstWords({ kind, location, slots, node }: DeclaredVariable): readonly bigint[] | undefined {
  if (kind !== 'return') return undefined
  if (location === 'default' && slots === 1) return [0n]
  if (location === 'calldata') return new Array<bigint>(slots).fill(0n)
  return /^t_(bytes|string|array\$.*\$dyn)_memory_ptr$/.test(typeOf(node)) ? [ZERO_SLOT] : undefined
}

/** The settled step at which a variable has its value at a statement; undefined if neither has it. */
function settledStep(
  variable: DeclaredVariable,
  current: DebugStatement,
  settled: SettledSteps,
): number | undefined {
  const assigning = current.within.statements.filter((statement) => assignsIn(statement, variable))
  if ([...settled.others].some((statement) => assignsIn(statement, variable))) return undefined
  const step = stepWithEffects(settled, current, assigning, (statement) => assignsLast(statement, variable))
  const isWhole = variable.kind === 'parameter' || variable.kind === 'return'
  if (step !== settled.after || step === settled.before || isWhole) return step
  // The end of a block removes its variables from the stack.
  return settled.reached?.scope.some(({ node }) => node === variable.node) === true ? step : undefined
}
