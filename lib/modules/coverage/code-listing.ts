/** A code's instructions with their sources and executions, and the counts of its functions, including those without own code. */

import { getOrAdd } from '../../base/once.ts'
import { containsRange, isSameRange } from '../../insight/artifacts/ast-node.ts'
import type { CodeKind } from '../../insight/artifacts/code.ts'
import type { CompiledCode, CompiledContract } from '../../insight/artifacts/compilation.ts'
import {
  declaredContract,
  soliditySource,
  type FunctionUse,
  type SolidityFunction,
} from '../../insight/artifacts/solidity-ast.ts'
import { JUMP, JUMPI, SourceMap, instructionLength } from '../../insight/artifacts/source-map.ts'
import type { JumpKind, SourceLocation } from '../../insight/artifacts/source-map.ts'
import type { CodeCounts } from './execution-counts.ts'

export interface CountedInstruction {
  readonly position: number
  readonly opcode: number
  readonly jump: JumpKind
  /** The pushed number, if it is short enough to be a position in code. */
  readonly pushed: number | undefined
  /** Undefined for code without a source, such as code added by the compiler. */
  readonly location: SourceLocation | undefined
  readonly executions: number
  readonly jumps: number
}

/** Longest number that can be a position in code, in bytes. */
const MAX_POSITION_BYTES = 4

function pushedBy(instruction: Uint8Array): number | undefined {
  const bytes = instruction.length - 1
  if (bytes === 0 || bytes > MAX_POSITION_BYTES) return undefined
  return Buffer.from(instruction).readUIntBE(1, bytes)
}

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
  return instructions.map((entry, at) => ({
    ...entry,
    executions: executionsOf(entry, instructions[at + 1]),
  }))
}

/** Instructions that are never followed by the next one: STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
export const ENDS: ReadonlySet<number> = new Set(Buffer.from([0x00, JUMP, 0xf3, 0xfd, 0xfe, 0xff]))

/**
 * Executions of an instruction. solc merges a conditional jump with a jump that follows it, such as a `break`. Only the push of the
 * target remains of the `break`, which counts only when the merged jump is taken.
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

/** Counts arrivals at instructions from outside a part of the source, not jumps inside it, such as the rounds of a loop. */
export function arrivalsIn(instructions: readonly CountedInstruction[]) {
  const jumps = new Map<number | undefined, CountedInstruction[]>()
  for (const [at, instruction] of instructions.entries())
    if (instruction.jumps > 0) getOrAdd(jumps, instructions[at - 1]?.pushed, () => []).push(instruction)
  return ({ position, executions }: CountedInstruction, part: SourceLocation): number => {
    const inside = (jumps.get(position) ?? []).filter((jump) => isIn(jump, part))
    return inside.reduce((rest, jump) => rest - jump.jumps, executions)
  }
}

/** Whether an instruction belongs to a part of a source. */
export const isIn = ({ location }: CountedInstruction, part: SourceLocation): boolean =>
  location?.file === part.file && containsRange(part, location)

export const keyOf = (part: SourceLocation | undefined): string =>
  part === undefined ? '' : `${part.file}:${part.start}:${part.end}`

interface PlacedFunction extends SourceLocation {
  readonly one: SolidityFunction
}

/** Runs by the keys of functions and of bodies that jumps enter. */
export function functionRuns(
  contract: CompiledContract,
  kind: CodeKind,
  instructions: readonly CountedInstruction[],
): ReadonlyMap<string, number> {
  const runs = new Map<string, number>()
  const add = (place: SourceLocation | undefined, count = 0): void =>
    void runs.set(keyOf(place), (runs.get(keyOf(place)) ?? 0) + count)
  const declared = contract.compilation.sources.flatMap(({ id: file, ast }) =>
    (soliditySource(ast)?.functions ?? []).map((one): PlacedFunction => ({ one, file, ...one.range })),
  )
  const { linearization = [], range } = declaredContract(contract) ?? {}
  const inherited = linearization.flatMap((id) => declared.filter(({ one }) => one.contract?.id === id))
  const ofKind = (wanted: string): readonly PlacedFunction[] =>
    inherited.filter(({ one }) => one.kind === wanted)
  // An empty constructor has no code. An empty unnamed function is a STOP placed at the contract.
  for (const placed of kind === 'creation' ? ofKind('constructor') : [])
    add(placed, instructions[0]?.executions)
  const stops = instructions.filter(
    ({ opcode, location }) => opcode === STOP && range && location && isSameRange(location, range),
  )
  const unnamed = ['receive', 'fallback'].flatMap((name) => ofKind(name)[0] ?? [])
  for (const [index, placed] of unnamed.entries()) add(placed, stops[index]?.executions)
  const byKey = new Map(declared.map((placed) => [keyOf(placed), placed]))
  const modifierOf = modifiersIn(declared, ofKind('modifier'))
  const arrivals = arrivalsIn(instructions)
  for (const code of functionCodes(instructions)) {
    const entered = byKey.get(keyOf(code[0]?.location))
    add(code[0]?.location, code[0]?.executions)
    if (entered === undefined) continue
    const used = entered.one.uses.flatMap((use) => modifierOf(use) ?? [])
    const body = bodyOf(entered)
    const parts = [...used.map(beginOf), body]
    /** How often the first code of some parts began; undefined without code. */
    const begun = (wanted: readonly SourceLocation[]): number | undefined => {
      const first = code.find((instruction) => wanted.some((part) => isIn(instruction, part)))
      const part = wanted.find((place) => first !== undefined && isIn(first, place))
      return first && part && arrivals(first, part)
    }
    for (const [index, place] of [...used, body].entries()) {
      // A modifier without code ran as often as what follows it. If nothing follows, the code before it always failed.
      const isReached = begun(parts.slice(0, index)) === undefined
      add(place, begun(parts.slice(index)) ?? (isReached ? code[0]?.executions : 0))
    }
  }
  return runs
}

const STOP = 0x00

/** The instructions of each function that jumps enter. They begin with its modifiers, in order. */
function functionCodes(
  instructions: readonly CountedInstruction[],
): readonly (readonly CountedInstruction[])[] {
  const targets = new Set(
    instructions.map(({ opcode, jump }, at) =>
      opcode === JUMP && jump === 'into' ? instructions[at - 1]?.pushed : undefined,
    ),
  )
  const begins = [...instructions.keys()].filter((at) => targets.has(instructions[at]?.position))
  return begins.map((at, index) => instructions.slice(at, begins[index + 1]))
}

/** A modifier up to its first `_`. Its end is not executed if the function fails. */
const beginOf = ({ one: { placeholders }, ...place }: PlacedFunction): SourceLocation => ({
  ...place,
  end: placeholders[0]?.start ?? place.end,
})

const bodyOf = ({ one: { body }, ...place }: PlacedFunction): SourceLocation => ({ ...place, ...body })

/** Returns the modifier that a use in a function's head runs, which may be an override; undefined for a constructor. */
const modifiersIn =
  (declared: readonly PlacedFunction[], overrides: readonly PlacedFunction[]) =>
  ({ isInHead, name, declaration }: FunctionUse): PlacedFunction | undefined => {
    const named = declared.find(({ one }) => isInHead && one.kind === 'modifier' && one.id === declaration)
    // `Base.check` names a specific contract's modifier.
    return named && (overrides.find(({ one }) => one.name === name) ?? named)
  }
