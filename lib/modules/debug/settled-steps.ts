/**
 * The steps next to a step at which optimized code has the values that its source requires: the ends of a run of instructions. No
 * loop continues between them, so the order of statements tells whose effects each end has.
 */

import { bisect } from '../../base/bisect.ts'
import type { Activation, Visit, Activations } from './activations.ts'
import { beginOfRun, settledAfter } from './rearranged-code.ts'
import type { DebugStatement } from './debug-function.ts'

/** Steps around a step, and the statements that may run between them. */
export interface SettledSteps {
  readonly before: number
  readonly after: number
  /** Orders of the first and last statement between them. */
  readonly first: number
  readonly last: number
  /** The statement at the later step; undefined if it is unknown. */
  readonly reached: DebugStatement | undefined
  /** Inlined statements of other functions that run between them. */
  readonly others: ReadonlySet<DebugStatement>
  /** Whether the function has its variables at the earlier step. Contract code may continue with a function inlined into it. */
  readonly hasBegun: boolean
  /** Whether that statement continues after the later step. */
  readonly isUnfinished: boolean
  /** Statements without instructions, which may have run on either side of one of the steps. */
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
  // Code without a source may belong to the previous or the next statement.
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

/** Statements without instructions that have run in a run of instructions or next to it. */
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

/** The statement of the same function that the next instruction belongs to, and whether it is in a loop's next round. */
function nextStatement(
  activations: Activations,
  { activation, statement: { within } }: Visit,
  { after, last }: { readonly after: number; readonly last: number },
): { readonly statement: DebugStatement; readonly isAgain: boolean } | undefined {
  const end = Math.min(activation.left, activation.frame.end)
  for (let at = after + 1; at < end; at++) {
    const running = activations.at(at)
    // A called function is skipped as a whole.
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
 * The settled step that has the effects of exactly those statements that run before a statement. Undefined if neither has. Only the
 * given statements have an effect; `isLate` tells whether a statement has it only when all of it is evaluated.
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

/** Statements among these that may run between the steps; undefined if one may have run on either side. */
const insideOf = (
  { first, last, uncertain }: SettledSteps,
  statements: readonly DebugStatement[],
): readonly DebugStatement[] | undefined =>
  statements.some((statement) => uncertain.includes(statement))
    ? undefined
    : statements.filter(({ order }) => order >= first && order <= last)
