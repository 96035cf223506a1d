/**
 * Runs of instructions that the optimizer of the legacy pipeline may have rearranged: it does so only between instructions with
 * effects (solc, libevmasm/SemanticInformation.cpp, breaksCSEAnalysisBlock). And the statements that must have run next to others, also
 * if it has left no instruction of them: what comes earlier in the same block or in one around it has run, and what comes later runs, up
 * to a jump. Nothing is said of branches and of inner loops.
 */

import { oncePer } from '../../base/once.ts'
import { containsRange, nodesIn, textAt } from '../../insight/artifacts/ast-node.ts'
import { JUMPDEST } from '../../insight/artifacts/source-map.ts'
import { isInLoopOf, type DebugStatement } from './debug-function.ts'
import type { Recording } from './recording.ts'

const COPIES: ReadonlySet<number> = new Set([0x37, 0x3c, 0x3e])

/**
 * Instructions that the optimizer moves: those without effects and with at most two operands, MSTORE and SSTORE. And CODECOPY, with
 * which it reads large constants anywhere in such a run (solc, libevmasm/ConstantOptimiser.cpp, CodeCopyMethod).
 */
const isMoved = (opcode: number): boolean =>
  (opcode >= 0x01 && opcode <= 0x1f && opcode !== 0x08 && opcode !== 0x09) ||
  (opcode >= 0x20 && opcode <= 0x4a && !COPIES.has(opcode)) ||
  (opcode >= 0x50 && opcode <= 0x55 && opcode !== 0x53) ||
  opcode === 0x59 ||
  opcode === 0x5c ||
  (opcode >= 0x5f && opcode <= 0x9f)

/** The first step of the run around a step: a JUMPDEST, or the instruction after one with an effect. */
export function beginOfRun(recording: Recording, step: number): number {
  const frame = recording.frameAt(step)
  const canFollow = (at: number): boolean =>
    at >= (frame?.first ?? 0) &&
    recording.frameAt(at) === frame &&
    (isMoved(recording.opcodeAt(at)) || recording.opcodeAt(at) === JUMPDEST)
  let at = step
  while (recording.opcodeAt(at) !== JUMPDEST && canFollow(at - 1)) at--
  return at
}

/** The last step of the run around a step: its instruction has an effect, or a JUMPDEST follows it. */
export function endOfRun(recording: Recording, step: number): number {
  let at = step
  while (goesOn(recording, at) && recording.opcodeAt(at + 1) !== JUMPDEST) at++
  return at
}

/** The step at which the stack has what the source asks for after a run: before the instruction with an effect, or at the JUMPDEST. */
export function settledAfter(recording: Recording, step: number): number {
  const end = endOfRun(recording, step)
  return goesOn(recording, end) ? end + 1 : end
}

/** Whether the same frame goes on after an instruction that the optimizer may have moved. */
function goesOn(recording: Recording, step: number): boolean {
  const opcode = recording.opcodeAt(step)
  return (
    (isMoved(opcode) || opcode === JUMPDEST) &&
    step + 1 < recording.length &&
    recording.frameAt(step + 1) === recording.frameAt(step)
  )
}

const [JUMP, JUMPI] = [0x56, 0x57]

/** Words at the bottom of the stack at a settled step, without the operands of a jump. */
export function settledHeight(recording: Recording, step: number): number {
  const opcode = recording.opcodeAt(step)
  const operands = opcode === JUMP ? 1 : opcode === JUMPI ? 2 : 0
  return recording.heightAt(step) - operands
}

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
const isInLoopsOf = (inner: DebugStatement, outer: DebugStatement): boolean =>
  inner.loops.every((loop) => outer.loops.includes(loop))

/** Whether a statement has run whenever a later one of its function begins. */
const hasRunBefore = (statement: DebugStatement, next: DebugStatement): boolean =>
  statement.order < next.order && containsRange(statement.block, next.range) && isInLoopsOf(statement, next)

/** Whether a statement may run between the begin of one, or of the function, and that of another one. */
export const mayRunBetween = (
  from: DebugStatement | undefined,
  statement: DebugStatement,
  to: DebugStatement,
): boolean =>
  (statement.order > (from?.order ?? -1) && statement.order < to.order) ||
  statement.loops.some((loop) => to.loops.includes(loop) && from?.loops.includes(loop) !== true) ||
  (from !== undefined && !hasRunBefore(from, to) && isInLoopOf(statement, to))

/** The statements that run after a statement in any case, as long as nothing is reverted. */
export const impliedAfter = (last: DebugStatement): readonly DebugStatement[] => {
  const later = last.within.statements.slice(last.order)
  const jump = later.findIndex(isJump)
  return later
    .slice(1, jump < 0 ? undefined : jump + 1)
    .filter((statement) => containsRange(statement.block, last.range) && isInLoopsOf(statement, last))
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
    return statements
      .slice(first, next.order)
      .filter((statement) => hasRunBefore(statement, next) || after.includes(statement))
  const loop = next.loops.findLast((shared) => last?.loops.includes(shared))
  if (last === undefined || loop === undefined || !isInLoopOf(last, next)) return []
  const isInside = (statement: DebugStatement): boolean => statement.loops.includes(loop)
  return [...after, ...statements.filter((statement) => hasRunBefore(statement, next))].filter(isInside)
}
