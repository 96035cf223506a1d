/**
 * Statements that must have run next to others, also if the optimizer has left no instruction of them: what comes earlier in the same
 * block or in one around it has run, and what comes later runs, up to a jump. Nothing is said of branches and of inner loops.
 */

import { containsRange, nodesIn, textAt } from '../../insight/artifacts/ast-node.ts'
import { oncePer } from '../../base/once.ts'
import { isInLoopOf, type DebugStatement } from './debug-function.ts'

const JUMPS: ReadonlySet<string> = new Set([
  'Return',
  'Break',
  'Continue',
  'YulBreak',
  'YulContinue',
  'YulLeave',
])
const ENDS: ReadonlySet<string | undefined> = new Set(['return', 'stop', 'selfdestruct'])

/** Whether a statement may go on elsewhere than at the next one. */
const isJump = oncePer(({ head }: DebugStatement): boolean =>
  nodesIn(head).some((inner) => JUMPS.has(inner.nodeType) || ENDS.has(textAt(inner, 'name'))),
)

/** Whether a statement is in no loop that does not contain another. */
const isInLoopsOf = (one: DebugStatement, other: DebugStatement): boolean =>
  one.loops.every((loop) => other.loops.includes(loop))

/** Whether a statement has run whenever a later one of its function begins. */
const hasRunBefore = (one: DebugStatement, next: DebugStatement): boolean =>
  one.order < next.order && containsRange(one.block, next.range) && isInLoopsOf(one, next)

/** Whether a statement may run between the begin of one, or of the function, and that of another one. */
export const mayRunBetween = (
  from: DebugStatement | undefined,
  one: DebugStatement,
  to: DebugStatement,
): boolean =>
  (one.order > (from?.order ?? -1) && one.order < to.order) ||
  one.loops.some((loop) => to.loops.includes(loop) && from?.loops.includes(loop) !== true) ||
  (from !== undefined && !hasRunBefore(from, to) && isInLoopOf(one, to))

/** The statements that run after a statement in any case, as long as nothing is reverted. */
export const impliedAfter = (last: DebugStatement): readonly DebugStatement[] => {
  const later = last.within.statements.slice(last.order)
  const jump = later.findIndex(isJump)
  return later
    .slice(1, jump < 0 ? undefined : jump + 1)
    .filter((one) => containsRange(one.block, last.range) && isInLoopsOf(one, last))
}

/** The statements that have run between the begin of one, or of the function, and that of the next one, which has run. */
export function impliedBetween(
  last: DebugStatement | undefined,
  next: DebugStatement,
): readonly DebugStatement[] {
  if (last !== undefined && next.order === last.order + 1) return []
  const { statements } = next.within
  const first = last === undefined ? 0 : last.order + 1
  const after = last === undefined ? [] : impliedAfter(last)
  if (first <= next.order)
    return statements.slice(first, next.order).filter((one) => hasRunBefore(one, next) || after.includes(one))
  const loop = next.loops.findLast((one) => last?.loops.includes(one))
  if (last === undefined || loop === undefined || !isInLoopOf(last, next)) return []
  const isInside = (one: DebugStatement): boolean => one.loops.includes(loop)
  return [...after, ...statements.filter((one) => hasRunBefore(one, next))].filter(isInside)
}
