/** Where a motion ends: at its goal, or before it at a breakpoint. */

import { NodeError } from '../../base/errors.ts'
import { nextTurn } from '../../base/host.ts'
import { shorten } from '../../base/shorten.ts'
import type { Breakpoint, Motion } from './params.ts'
import type { DebugStop } from './results.ts'
import { hitsOf, meets, type BreakpointHit } from './breakpoints.ts'
import type { SteppedExecution } from './stepped-execution.ts'

/** A motion with the step that it goes to; undefined beyond the first or the last step. */
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
  for (const one of motion.breakpoints.filter((each) => isForwards || logOf(each) === undefined))
    hits.push(...(await countedHits(execution, one)).filter(isBetween))
  hits.sort((one, other) => (isForwards ? one.step - other.step : other.step - one.step))
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

/** The text of a logpoint, which does not stop; backwards it does nothing. */
const logOf = (one: Breakpoint): string | undefined => (one.kind === 'line' ? one.log : undefined)

/** The first breakpoints of a list that stop, all at one step, and the texts of the logpoints before them and of wrong conditions. */
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

/** The hits of a breakpoint with a number that its hit condition asks for; all without one. */
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

/** Whether the condition of a breakpoint holds at a hit; what is wrong with it if that is not known, which stops too. */
async function verdictAt(
  execution: SteppedExecution,
  { step, breakpoint }: BreakpointHit,
): Promise<boolean | NodeError> {
  if (!('condition' in breakpoint) || breakpoint.condition === undefined) return true
  try {
    return await execution.holds(step, breakpoint.condition)
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return new NodeError(error.kind, `condition ${shorten(breakpoint.condition)}: ${error.message}`)
  }
}
