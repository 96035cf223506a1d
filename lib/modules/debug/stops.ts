/** Where a motion goes, and where it ends: at its goal, or earlier at a breakpoint. */

import { NodeError } from '../../base/errors.ts'
import { nextTurn } from '../../base/host.ts'
import { shorten } from '../../base/shorten.ts'
import { wholeOf, type Activation, type Visit, type Activations } from './activations.ts'
import { hitsOf, meets, type BreakpointHit } from './breakpoints.ts'
import { callerOf } from './call-stack.ts'
import type { Breakpoint, Motion } from './params.ts'
import type { DebugStop } from './results.ts'
import type { SteppedExecution } from './view-calls.ts'

/** A motion with its target step; undefined beyond the first or last step. */
interface PlannedMotion extends Motion {
  readonly goal: number | undefined
  readonly last: number
}

const REASONS = {
  line: 'breakpoint',
  function: 'function',
  revert: 'exception',
  event: 'event',
  call: 'call',
  write: 'write',
} as const satisfies Readonly<Record<Breakpoint['kind'], DebugStop['reason']>>

/** Evaluations between two turns of the event loop. */
const PER_TURN = 64

/** Where a motion from a step ends. */
export async function stopOf(
  execution: SteppedExecution,
  from: number,
  motion: PlannedMotion,
): Promise<DebugStop> {
  const isForwards = motion.direction === 'forwards'
  const end = isForwards ? Math.max(from, motion.last) : 0
  const isWithin = motion.goal !== undefined && (isForwards ? motion.goal <= end : motion.goal >= end)
  const goal = isWithin ? motion.goal : end
  const isBetween = ({ step }: BreakpointHit): boolean =>
    isForwards ? step > from && step <= goal : step < from && step >= goal
  const hits: BreakpointHit[] = []
  for (const breakpoint of motion.breakpoints.filter((set) => isForwards || logOf(set) === undefined))
    hits.push(...(await countedHits(execution, breakpoint)).filter(isBetween))
  hits.sort((first, second) => (isForwards ? first.step - second.step : second.step - first.step))
  const { met, logs } = await metAmong(execution, hits)
  const [first] = met
  if (first !== undefined) {
    const { step, breakpoint, text } = first
    const breakpoints = met.map((hit) => hit.breakpoint.id)
    return { step, reason: REASONS[breakpoint.kind], breakpoints, logs, text: text?.() }
  }
  if (isWithin) return { step: goal, reason: 'step', breakpoints: [], logs }
  const step = isForwards || motion.kind === 'instruction' ? goal : execution.first
  return { step, reason: isForwards ? 'end' : 'start', breakpoints: [], logs }
}

/** The text of a logpoint, which does not stop. Motions backwards ignore it. */
const logOf = (breakpoint: Breakpoint): string | undefined =>
  breakpoint.kind === 'line' ? breakpoint.log : undefined

/** The first breakpoints of a list that stop, all at one step, and the texts of earlier logpoints and wrong conditions. */
async function metAmong(execution: SteppedExecution, hits: readonly BreakpointHit[]) {
  const logs: DebugStop['logs'][number][] = []
  const met: BreakpointHit[] = []
  for (const [index, hit] of hits.entries()) {
    if (met[0] !== undefined && met[0].step !== hit.step) break
    if (index % PER_TURN === PER_TURN - 1) await nextTurn()
    const verdict = await verdictAt(execution, hit)
    if (verdict === false) continue
    const { id: breakpoint } = hit.breakpoint
    const log = logOf(hit.breakpoint)
    if (verdict !== true) logs.push({ breakpoint, text: verdict.message })
    if (log === undefined) met.push(hit)
    else logs.push({ breakpoint, text: await execution.logText(hit.step, log) })
  }
  return { met, logs }
}

/** A breakpoint's hits that its hit condition selects; all without one. */
async function countedHits(
  execution: SteppedExecution,
  breakpoint: Breakpoint,
): Promise<readonly BreakpointHit[]> {
  const hits = hitsOf(breakpoint, execution)
  const hitCondition = 'hitCondition' in breakpoint ? breakpoint.hitCondition : undefined
  if (hitCondition === undefined) return hits
  const counted: BreakpointHit[] = []
  let count = 0
  for (const hit of hits) {
    if (count % PER_TURN === PER_TURN - 1) await nextTurn()
    if ((await verdictAt(execution, hit)) !== false && meets(++count, hitCondition)) counted.push(hit)
  }
  return counted
}

/** Whether a breakpoint's condition holds at a hit. If that is unknown, the text says why, and the breakpoint stops. */
async function verdictAt(
  execution: SteppedExecution,
  { step, breakpoint }: BreakpointHit,
): Promise<boolean | NodeError> {
  if (!('condition' in breakpoint) || breakpoint.condition === undefined) return true
  try {
    return await execution.holds(step, breakpoint.condition)
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    const message = `condition ${shorten(breakpoint.condition)}: ${error.message}`
    return new NodeError(error.kind, message, { code: error.details.code })
  }
}

/** A target step; undefined beyond the recording. */
type Goal = number | undefined

/** The step that a motion leads to. `run` goes to the end. */
export function goalOf(
  activations: Activations,
  step: number,
  { kind, direction }: Pick<Motion, 'kind' | 'direction'>,
): Goal {
  const isForwards = direction === 'forwards'
  if (kind === 'run') return undefined
  if (kind === 'instruction') return isForwards ? step + 1 : step - 1
  const activation = activations.at(step)
  if (activation === undefined) return undefined
  if (kind === 'into') return isForwards ? intoNext(activations, step) : intoLast(activations, step)
  const whole = wholeOf(activation)
  if (kind === 'out') return isForwards ? returnOf(activations, whole) : callOf(activations, whole)
  return isForwards ? overNext(activations, whole, step) : overLast(activations, whole, step)
}

const intoNext = (activations: Activations, step: number): Goal =>
  activations.visits[activations.visitAfter(step)]?.step

const intoLast = (activations: Activations, step: number): Goal =>
  activations.visits[activations.visitAfter(step - 1) - 1]?.step

/** The function's next visit, or the place where it returns. */
const overNext = (activations: Activations, whole: Activation, step: number): Goal =>
  visitsBetween(activations, step, whole.left - 1).find(isOf(whole))?.step ?? returnOf(activations, whole)

const overLast = (activations: Activations, whole: Activation, step: number): Goal =>
  visitsBetween(activations, whole.entered - 1, step - 1).findLast(isOf(whole))?.step ??
  callOf(activations, whole)

/** All visits between two steps, without the first. */
const visitsBetween = (all: Activations, from: number, to: number) =>
  all.visits.slice(all.visitAfter(from), all.visitAfter(to))

/** Whether a visit belongs to a function, its modifiers or its body. */
const isOf =
  (whole: Activation) =>
  ({ activation }: Visit): boolean =>
    wholeOf(activation) === whole

/** The first instruction after a function in a caller that has statements. */
function returnOf(activations: Activations, activation: Activation): Goal {
  let left = activation
  for (let caller = activation.caller; caller !== undefined; caller = caller.caller) {
    const step = caller.frame === left.frame ? left.left : left.frame.end
    if (caller.visits.length > 0 && activations.at(step) === caller) return step
    left = caller
  }
  return undefined
}

function callOf(activations: Activations, activation: Activation): Goal {
  let called = activation
  for (let caller = activation.caller; caller !== undefined; caller = caller.caller) {
    const visit = activations.visitAt(caller, called.entered - 1)
    if (visit !== undefined) return visit.step
    called = caller
  }
  return undefined
}

/** The functions that the statement at a step enters, in order, with the first visit of each. */
export function calledFrom(
  activations: Activations,
  step: number,
): readonly (readonly [Activation, number])[] {
  const activation = activations.at(step)
  if (activation === undefined) return []
  const end = activations.nextVisit(activation, step)?.step ?? activation.left
  const isCalled = (entered: Activation): boolean =>
    wholeOf(entered) === entered && callerOf(entered) === activation
  return activations
    .enteredBetween(step, end)
    .filter((entered) => isCalled(entered) && (entered.declared !== undefined || entered.visits.length > 0))
    .map((entered): readonly [Activation, number] => [entered, entered.visits[0]?.step ?? entered.entered])
}
