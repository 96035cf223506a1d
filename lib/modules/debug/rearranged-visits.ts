/**
 * Visits of statements in code that the optimizer of the legacy pipeline has rearranged. It moves instructions only within a run of them,
 * so that the statements of a run have run there, in the order of the source. Where instructions contradict that, visits are doubtful.
 */

import type { OpenActivation, Visit } from './activation.ts'
import type { CodeStatements } from './code-statements.ts'
import { isInLoopOf, type DebugFunction, type DebugStatement } from './debug-function.ts'
import { impliedAfter, impliedBetween } from './implied-statements.ts'
import type { Recording } from './recording.ts'

/** A run of instructions that may be rearranged, from its first step to its last one. */
interface RearrangedRun {
  readonly statements: CodeStatements
  readonly activation: OpenActivation
  readonly step: number
  readonly end: number
}

/**
 * Visits the statements of a run, in their order, and those that must have run before them; returns the new visits. What belongs to
 * a statement after the one that the run ends in was moved before it.
 */
export function visitRun(
  recording: Recording,
  { statements, activation, step, end }: RearrangedRun,
): readonly Visit[] {
  const { visits } = activation
  const known = visits.length
  const numberAt = (at: number): number => statements.numberAt(recording.pcAt(at))
  const reached = statements.statement(numberAt(end))
  const found = new Map<DebugStatement, number>()
  const isForeign = foreignIn(activation, statements.functionAround(recording.pcAt(step)))
  for (let at = step; at <= end; at++) {
    const statement = statements.statement(numberAt(at))
    if (statement !== undefined && !found.has(statement) && !isForeign(statement)) found.set(statement, at)
  }
  let next = step
  for (const [statement, first] of inTheirOrder(found, visits.at(-1))) {
    if (reached?.within === statement.within && statement.order > reached.order) continue
    const last = visits.at(-1)
    const isLoop =
      last?.statement === statement && first === step && recording.pcAt(first) === recording.pcAt(last.step)
    if (last !== undefined && !isLoop && !canFollow(statement, last.statement)) {
      doubt(activation, statement)
      continue
    }
    const before = visits.findLast((one) => one.statement.within === statement.within)
    next = imply(activation, impliedBetween(before?.statement, statement), next, end)
    const at = Math.max(first, next)
    if (at > end) break
    next = at + 1
    visits.push({ step: at, activation, statement, isDoubtful: false, isImplied: false })
  }
  return visits.slice(known)
}

/** Tells the statements that do not run, though the code has their places: equal code of functions is merged, with a label of one. */
function foreignIn({ declared, visits }: OpenActivation, label: DebugFunction | undefined) {
  const isMerged =
    declared !== undefined && label?.kind === 'function' && visits.at(-1)?.statement.within !== label
  return ({ within }: DebugStatement): boolean => isMerged && within === label && within !== declared
}

/** Statements sorted by function, then by their order in it. The function of the last visit is first, the others follow as their code runs. */
function inTheirOrder(found: ReadonlyMap<DebugStatement, number>, last: Visit | undefined) {
  const functions = [last?.statement.within, ...new Set([...found.keys()].map(({ within }) => within))]
  return [...found].sort(
    ([one], [other]) =>
      functions.indexOf(one.within) - functions.indexOf(other.within) || one.order - other.order,
  )
}

/** Visits what must have run between the last visit of an activation and its end; returns the new visits. */
export function visitRest(activation: OpenActivation, from: number, end: number): readonly Visit[] {
  const { visits } = activation
  const known = visits.length
  const last = visits.at(-1)
  if (last !== undefined) imply(activation, impliedAfter(last.statement), from, end)
  return visits.slice(known)
}

/** Visits statements at consecutive steps before an end; returns the step after them. */
function imply(
  activation: OpenActivation,
  statements: readonly DebugStatement[],
  from: number,
  end: number,
): number {
  const isDoubtful = activation.visits.at(-1)?.isDoubtful ?? false
  const visited = statements.slice(0, Math.max(0, end - from))
  activation.visits.push(
    ...visited.map((statement, index) => ({
      step: from + index,
      activation,
      statement,
      isDoubtful,
      isImplied: true,
    })),
  )
  return from + visited.length
}

/** Marks the visits of statements that come after one of which an instruction runs. */
function doubt({ visits }: OpenActivation, { within, order }: DebugStatement): void {
  for (let at = visits.length - 1; at >= 0; at--) {
    const visit = visits[at]
    if (visit?.statement.within !== within || visit.statement.order <= order) return
    visit.isDoubtful = true
  }
}

/** Whether a statement can begin after another one has begun. */
const canFollow = (one: DebugStatement, last: DebugStatement): boolean =>
  one !== last && (one.within !== last.within || one.order > last.order || isInLoopOf(one, last))
