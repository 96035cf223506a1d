/** The instructions of a code with their sources and their executions. */

import type { CompiledCode } from '../artifacts/compilation.ts'
import { getOrAdd } from '../../base/get-or-add.ts'
import { containsRange } from '../artifacts/ast-node.ts'
import { JUMP, JUMPI, SourceMap, instructionLength } from '../artifacts/source-map.ts'
import type { JumpKind, SourceLocation } from '../artifacts/source-map.ts'
import type { CodeCounts } from './execution-counts.ts'

export interface CountedInstruction {
  readonly position: number
  readonly opcode: number
  readonly jump: JumpKind
  /** The number that the instruction pushes, if it is short enough for a position in code. */
  readonly pushed: number | undefined
  /** Undefined for code without a source, such as code that the compiler added. */
  readonly location: SourceLocation | undefined
  readonly executions: number
  /** How often it jumped. */
  readonly jumps: number
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
  { sourceMap, generatedFiles, bytes }: CompiledCode,
  counts: CodeCounts,
): readonly CountedInstruction[] {
  if (sourceMap === undefined) return []
  const { code, jumps } = counts
  const executions = counts.executions()
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
      jumps: jumps[position] ?? 0,
    })
    position += instructionLength(opcode)
  }
  return instructions.map((one, at) => ({ ...one, executions: executionsOf(one, instructions[at + 1]) }))
}

/** Instructions after which the next one does not run: STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
export const ENDS: ReadonlySet<number> = new Set(Buffer.from([0x00, JUMP, 0xf3, 0xfd, 0xfe, 0xff]))

/**
 * Executions of an instruction. solc joins the jump of a condition with a jump that follows it, such as a `break`: of the `break`, what
 * pushes its target is left, which happens only when the joined jump is taken.
 */
function executionsOf(
  { executions, location, pushed }: CountedInstruction,
  next: CountedInstruction | undefined,
): number {
  const isJoined =
    next?.opcode === JUMPI &&
    pushed !== undefined &&
    location !== undefined &&
    next.location !== undefined &&
    !containsRange(location, next.location)
  return isJoined ? next.jumps : executions
}

/**
 * Counts how often execution came to an instruction from outside of a part of its source: without the jumps from the part itself, such
 * as the rounds of a loop.
 */
export function arrivalsIn(instructions: readonly CountedInstruction[]) {
  const jumps = new Map<number | undefined, CountedInstruction[]>()
  for (const [at, instruction] of instructions.entries())
    if (instruction.jumps > 0) getOrAdd(jumps, instructions[at - 1]?.pushed, () => []).push(instruction)
  return ({ position, executions }: CountedInstruction, part: SourceLocation): number => {
    const inside = (jumps.get(position) ?? []).filter((jump) => isIn(jump, part))
    return inside.reduce((rest, jump) => rest - jump.jumps, executions)
  }
}

/** Whether an instruction is of a part of a source. */
export const isIn = ({ location }: CountedInstruction, part: SourceLocation): boolean =>
  location?.file === part.file && containsRange(part, location)

/** A text for each part of a source. */
export const keyOf = (part: SourceLocation | undefined): string =>
  part === undefined ? '' : `${part.file}:${part.start}:${part.end}`
