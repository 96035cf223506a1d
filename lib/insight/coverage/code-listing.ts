/** The instructions of a code with their sources and their executions. */

import type { CompiledCode } from '../artifacts/compilation.ts'
import { JUMP, JUMPDEST, JUMPI, SourceMap, instructionLength } from '../artifacts/source-map.ts'
import type { JumpKind, SourceLocation } from '../artifacts/source-map.ts'

/** An instruction of a code. */
export interface CountedInstruction {
  readonly position: number
  readonly opcode: number
  readonly jump: JumpKind
  /** The number that the instruction pushes, if it is short enough for a position in code. */
  readonly pushed: number | undefined
  /** Undefined for code without a source, such as code that the compiler added. */
  readonly location: SourceLocation | undefined
  readonly executions: number
}

/** Longest number that can be a position in code, in bytes. */
const MAX_POSITION_BYTES = 4

function pushedBy(instruction: Uint8Array): number | undefined {
  const bytes = instruction.length - 1
  if (bytes === 0 || bytes > MAX_POSITION_BYTES) return undefined
  return Buffer.from(instruction).readUIntBE(1, bytes)
}

/** The instructions of a code in order. */
export function instructionsOf(
  code: Uint8Array,
  { sourceMap, generatedFiles, bytes }: CompiledCode,
  executions: Uint32Array,
): readonly CountedInstruction[] {
  if (sourceMap === undefined) return []
  const map = new SourceMap(sourceMap, code)
  const instructions: CountedInstruction[] = []
  for (let position = 0; position < bytes.length;) {
    const opcode = code[position] ?? 0
    const location = map.locationAt(position)
    instructions.push({
      position,
      opcode,
      jump: map.jumpAt(position),
      pushed: pushedBy(code.subarray(position, position + instructionLength(opcode))),
      location: location === undefined || generatedFiles.has(location.file) ? undefined : location,
      executions: executions[position] ?? 0,
    })
    position += instructionLength(opcode)
  }
  return instructions.map((one, at) => ({ ...one, executions: executionsOf(instructions, at) }))
}

/** Instructions after which the next one does not run: STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
export const ENDS: ReadonlySet<number> = new Set(Buffer.from([0x00, JUMP, 0xf3, 0xfd, 0xfe, 0xff]))

/** How often a conditional jump was not taken; undefined if that does not follow from the executions. */
export function timesNotTaken(instructions: readonly CountedInstruction[], at: number): number | undefined {
  const { executions = 0 } = instructions[at] ?? {}
  const next = instructions[at + 1]
  if (next?.opcode !== JUMPDEST) return next?.executions ?? 0
  // The next instruction is reached in other ways too: the jumps to its target are counted instead.
  const target = instructions[at - 1]?.pushed
  const place = instructions.findIndex(({ position }) => position === target)
  const before = instructions[place - 1]
  if (place < 0 || before?.opcode === JUMPI) return undefined
  const jumps = instructions.filter((_, index) => index !== at && instructions[index - 1]?.pushed === target)
  if (jumps.some(({ opcode }) => opcode === JUMPI)) return undefined
  const others = jumps.filter(({ opcode }) => opcode === JUMP).reduce((sum, jump) => sum + jump.executions, 0)
  const fallenThrough = before === undefined || ENDS.has(before.opcode) ? 0 : before.executions
  const taken = (instructions[place]?.executions ?? 0) - fallenThrough - others
  return taken < 0 || taken > executions ? undefined : executions - taken
}

/**
 * Executions of an instruction. For `if (a) continue` solc jumps to the end of the loop if `a` holds: what pushes that place stands
 * for the `continue`, which happens only when the jump is taken.
 */
function executionsOf(instructions: readonly CountedInstruction[], at: number): number {
  const { executions = 0, location } = instructions[at] ?? {}
  const next = instructions[at + 1]
  if (next?.opcode !== JUMPI || location === undefined || next.location === undefined) return executions
  const isInside = next.location.start < location.start && location.end === next.location.end
  return isInside ? executions - (timesNotTaken(instructions, at + 1) ?? 0) : executions
}
