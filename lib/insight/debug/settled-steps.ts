/**
 * The steps next to a step at which optimized code has the values that its source asks for. The optimizer of the legacy pipeline
 * rearranges instructions only between such steps (solc, libevmasm/SemanticInformation.cpp, breaksCSEAnalysisBlock).
 */

import { JUMPDEST } from '../artifacts/source-map.ts'
import type { Activation, Activations, Visit } from './activations.ts'
import type { RecordedFrame, Recording } from './recording.ts'
import type { DebugStatement } from './source-index.ts'

/** Steps around a step, and the part of the source that may run between them. */
export interface SettledSteps {
  readonly before: number
  readonly after: number
  /** Position of the earliest statement, and of the end of the last one. */
  readonly start: number
  readonly end: number
  /** Whether the statements between run in the order of the source. */
  readonly isInOrder: boolean
  /** Whether the statement at the step goes on after them. */
  readonly isUnfinished: boolean
}

/** Instructions that the optimizer moves: those without effects and with at most two operands, MSTORE and SSTORE. */
const isMoved = (opcode: number): boolean =>
  (opcode >= 0x01 && opcode <= 0x1f && opcode !== 0x08 && opcode !== 0x09) ||
  (opcode >= 0x20 && opcode <= 0x4a && !COPIES.has(opcode)) ||
  (opcode >= 0x50 && opcode <= 0x55 && opcode !== 0x53) ||
  opcode === 0x59 ||
  opcode === 0x5c ||
  (opcode >= 0x5f && opcode <= 0x9f)

const COPIES: ReadonlySet<number> = new Set([0x37, 0x39, 0x3c, 0x3e])

/** The settled steps around a step of the legacy pipeline. */
export function settledSteps(
  recording: Recording,
  activations: Activations,
  { activation, statement: current }: Visit,
  step: number,
): SettledSteps {
  const { frame, visits } = activation
  const isInside = (at: number): boolean => recording.frameAt(at) === frame && isMoved(recording.opcodeAt(at))
  let before = step
  while (recording.opcodeAt(before) !== JUMPDEST && before > frame.first && isInside(before - 1)) before--
  let after = step
  while (after + 1 < frame.end && isInside(after)) after++
  const from = activations.visitAt(activation, before - 1) ?? visits[0]
  const seen = visits.filter((visit) => visit.step >= (from?.step ?? 0) && visit.step <= after)
  const next = visits.find((visit) => visit.step > after)
  const statements = [...seen, ...(next === undefined ? [] : [next])].map(({ statement }) => statement)
  const isSame = statements.every(({ within }) => within === current.within)
  const starts = statements.map(({ range }) => range.start)
  return {
    before,
    after,
    start: Math.min(...starts),
    end: Math.max(...statements.map(({ range }) => range.end)),
    isUnfinished: isUnfinished(activations, recording, current, activation, after),
    isInOrder: isSame && starts.every((start, index) => index === 0 || start >= (starts[index - 1] ?? 0)),
  }
}

/** Whether the next instruction of an activation that belongs to a statement belongs to the same one. */
function isUnfinished(
  activations: Activations,
  recording: Recording,
  current: DebugStatement,
  { index, frame, left, visits }: Activation,
  after: number,
): boolean {
  const next = visits.find((visit) => visit.step > after)?.step ?? left
  for (let at = after + 1; at < Math.min(next, left, frame.end); at++) {
    if (recording.frameAt(at) !== frame || activations.at(at)?.index !== index) continue
    const statement = activations.statementAt(at)
    if (statement !== undefined) return statement === current
  }
  return false
}

/** Calls and creations, which may read the storage, and so must find it as the source asks for. */
const isCall = (opcode: number): boolean => opcode >= 0xf0 && opcode <= 0xfa && opcode !== 0xf3

/** The calls of the frame next to a step, or its begin and end: between them, the Yul optimizer removes writes. */
export function callsAround(
  recording: Recording,
  frame: RecordedFrame,
  step: number,
): Pick<SettledSteps, 'before' | 'after'> {
  const isBarrier = (at: number): boolean => recording.frameAt(at) !== frame || isCall(recording.opcodeAt(at))
  let before = step
  while (before > frame.first && !isBarrier(before - 1)) before--
  let after = step
  while (after + 1 < frame.end && !isBarrier(after)) after++
  return { before, after }
}
