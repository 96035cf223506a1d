/**
 * The steps next to a step at which optimized code has the values that its source asks for: the ends of a run of instructions, which
 * the optimizer keeps. No loop goes on between them, so that the order of statements tells whose effects each end has.
 */

import { bisect } from '../../base/bisect.ts'
import type { Activation, Visit, Activations } from './activations.ts'
import { beginOfRun, settledAfter } from './rearranged-code.ts'
import type { DebugStatement } from './debug-function.ts'

/** Steps around a step, and the statements that may run between them. */
export interface SettledSteps {
  readonly before: number
  readonly after: number
  /** Orders of the first and of the last statement between them. */
  readonly first: number
  readonly last: number
  /** The statement that runs at the later step; undefined if it is not known. */
  readonly reached: DebugStatement | undefined
  /** Statements of other functions that run between them: the compiler has put them there. */
  readonly others: ReadonlySet<DebugStatement>
  /** Whether the function has its variables at the earlier step: the code of a contract may go on to one that it contains. */
  readonly hasBegun: boolean
  /** Whether that statement goes on after the later step. */
  readonly isUnfinished: boolean
  /** Statements that may have run on either side of one of the steps: no instruction is left of them. */
  readonly uncertain: readonly DebugStatement[]
}

/** The settled steps around a step of the legacy pipeline, at or after a visit. */
export function settledSteps(activations: Activations, visit: Visit, step: number): SettledSteps {
  const { recording } = activations
  const { activation, statement: current } = visit
  const before = beginOfRun(recording, step)
  const after = settledAfter(recording, step)
  const statementAt = (at: number): DebugStatement | undefined => {
    const statement = activations.statementAt(at)
    return statement?.within === current.within ? statement : undefined
  }
  const orders: number[] = []
  const others = new Set<DebugStatement>()
  for (let at = before; at <= after; at++) {
    const statement = activations.statementAt(at)
    if (statement?.within === current.within) orders.push(statement.order)
    else if (statement !== undefined) others.add(statement)
  }
  const reached = statementAt(after)
  const next = nextStatement(activations, visit, { after, last: Math.max(...orders) })
  const implied = impliedAround(activation, before, after)
  const uncertain = implied.filter(
    ({ order }) => orders.every((one) => one > order) || orders.every((one) => one < order),
  )
  orders.push(current.order, ...implied.map(({ order }) => order))
  // Code that the source map does not name may belong to the statement before or to the next one.
  if (statementAt(before) === undefined)
    orders.push(activations.visitAt(activation, before - 1)?.statement.order ?? 0)
  if (reached === undefined && next !== undefined) orders.push(next.statement.order)
  return {
    before,
    after,
    first: Math.min(...orders),
    last: Math.max(...orders),
    reached: reached ?? (next?.isAgain === false ? next.statement : undefined),
    others,
    hasBegun:
      activation.declared === current.within ||
      activation.visits.some((visit) => visit.step < before && visit.statement.within === current.within),
    isUnfinished: reached === undefined || (next?.statement === reached && !next.isAgain),
    uncertain,
  }
}

/** The statements without instructions that have run in a run of instructions, or next to it. */
function impliedAround({ visits }: Activation, before: number, after: number): readonly DebugStatement[] {
  const implied: DebugStatement[] = []
  const first = bisect(visits.length, (index) => (visits[index]?.step ?? before) < before)
  for (let at = first; at < visits.length; at++) {
    const visit = visits[at]
    if (visit?.isImplied === true) implied.push(visit.statement)
    else if ((visit?.step ?? 0) > after) break
  }
  return implied
}

/** The statement of the same function that the next instruction belongs to; and whether it is in the next run of a loop. */
function nextStatement(
  activations: Activations,
  { activation, statement: { within } }: Visit,
  { after, last }: { readonly after: number; readonly last: number },
): { readonly statement: DebugStatement; readonly isAgain: boolean } | undefined {
  const end = Math.min(activation.left, activation.frame.end)
  for (let at = after + 1; at < end; at++) {
    const running = activations.at(at)
    // A called function is left out as a whole.
    if (running !== activation) at = (running?.left ?? end) - 1
    const statement = running === activation ? activations.statementAt(at) : undefined
    if (statement === undefined) continue
    if (statement.within !== within) return undefined
    const isBegin = (activations.visitAt(activation, at)?.step ?? 0) > after
    return { statement, isAgain: statement.order < last || (statement.order === last && isBegin) }
  }
  return undefined
}

/**
 * The settled step that has the effects of exactly those statements that run before a statement. Undefined if neither has. The given
 * statements have an effect; `isLate` tells whether one has it when all of it is evaluated.
 */
export function stepWithEffects(
  settled: SettledSteps,
  current: DebugStatement,
  statements: readonly DebugStatement[],
  isLate: (statement: DebugStatement) => boolean,
): number | undefined {
  const inside = insideOf(settled, statements)
  if (settled.hasBegun && inside?.every(({ order }) => order >= current.order) === true) return settled.before
  return hasEffectsAfter(settled, current, statements, isLate) ? settled.after : undefined
}

/** Whether the later step has those effects. */
export function hasEffectsAfter(
  settled: SettledSteps,
  current: DebugStatement,
  statements: readonly DebugStatement[],
  isLate: (statement: DebugStatement) => boolean,
): boolean {
  const { reached, hasBegun, isUnfinished } = settled
  const inside = insideOf(settled, statements)
  if (reached === undefined) return hasBegun && inside?.length === 0
  const isRight = (statement: DebugStatement): boolean => {
    const isWanted = statement.order < current.order
    if (statement === reached) return isUnfinished && isLate(statement) && !isWanted
    return statement.order < reached.order === isWanted
  }
  return inside?.every(isRight) === true
}

/** Those of some statements that may run between the steps; undefined if one may have run on either side. */
const insideOf = (
  { first, last, uncertain }: SettledSteps,
  statements: readonly DebugStatement[],
): readonly DebugStatement[] | undefined =>
  statements.some((statement) => uncertain.includes(statement))
    ? undefined
    : statements.filter(({ order }) => order >= first && order <= last)
