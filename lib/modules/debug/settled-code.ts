/**
 * Runs of instructions that the optimizer of the legacy pipeline may have rearranged: it does so only between instructions with
 * effects (solc, libevmasm/SemanticInformation.cpp, breaksCSEAnalysisBlock).
 */

import { JUMPDEST } from '../../insight/artifacts/source-map.ts'
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
