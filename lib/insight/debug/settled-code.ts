/**
 * Runs of instructions that the optimizer of the legacy pipeline may have rearranged: it does so only between instructions with
 * effects (solc, libevmasm/SemanticInformation.cpp, breaksCSEAnalysisBlock).
 */

import { JUMPDEST } from '../artifacts/source-map.ts'
import type { Recording } from './recording.ts'

const COPIES: ReadonlySet<number> = new Set([0x37, 0x39, 0x3c, 0x3e])

/** Instructions that the optimizer moves: those without effects and with at most two operands, MSTORE and SSTORE. */
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
  const frame = recording.frameAt(step)
  const end = Math.min(frame?.end ?? 0, recording.length) - 1
  const isInside = (at: number): boolean => {
    const opcode = recording.opcodeAt(at)
    return isMoved(opcode) || opcode === JUMPDEST
  }
  let at = step
  while (
    at < end &&
    isInside(at) &&
    recording.frameAt(at + 1) === frame &&
    recording.opcodeAt(at + 1) !== JUMPDEST
  )
    at++
  return at
}
