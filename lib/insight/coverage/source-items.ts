/** The items of a source that can be covered: statements, functions and branches, and how often executions entered them. */

import { bisect } from '../../base/bisect.ts'
import { getOrAdd } from '../../base/get-or-add.ts'
import type { SourceUnit } from '../artifacts/compilation.ts'
import { once, oncePer } from '../../base/once.ts'
import { soliditySource } from '../artifacts/solidity-ast.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import { statementsOf } from '../artifacts/statements.ts'
import { containsRange } from '../artifacts/ast-node.ts'
import type { CountedInstruction } from './code-listing.ts'

/** Kinds of functions that have counts. In inline assembly only statements are counted, and variables have no body. */
const COUNTED: ReadonlySet<string> = new Set(['function', 'constructor', 'fallback', 'receive', 'modifier'])

/** Statements, functions and branches in the order of the source. */
export type SourceItems = ReturnType<typeof itemsOf>

function itemsOf(ast: unknown) {
  const found = statementsOf(ast)
  const statements = found.statements.toSorted(byPlace)
  const branches = found.branches.toSorted((a, b) => byPlace(a.range, b.range))
  const functions = (soliditySource(ast)?.functions ?? [])
    .filter(({ kind, body }) => COUNTED.has(kind) && body !== undefined)
    .toSorted((a, b) => byPlace(a.range, b.range))
  const ways = branches.flatMap((branch) => branch.ways.filter((way) => way !== undefined))
  const ofFunctions = functions.map(({ range }) => range)
  const { bodies } = found
  /** Statements, functions, ways of branches that have a source, bodies of statements, bodies of functions. */
  const regions = regionTree([
    ...statements,
    ...ofFunctions,
    ...ways,
    ...bodies,
    ...functions.flatMap(({ body }) => body ?? []),
  ])
  /** Index of the statement before each statement in the same region. */
  const previous = once(() => previousStatements(statements, regions))
  return { statements, functions, branches, bodies, regions, previous }
}

const byPlace = (a: SourceRange, b: SourceRange): number => a.start - b.start || b.end - a.end

/** The items of a source, read at the first call; undefined without an AST. */
export const sourceItems = oncePer(({ ast }: SourceUnit) =>
  soliditySource(ast) === undefined ? undefined : itemsOf(ast),
)

/** The statement before each of the statements, which are in the order of the source; undefined for the first one of a region. */
function previousStatements(
  statements: readonly SourceRange[],
  regions: RegionTree,
): readonly (number | undefined)[] {
  const lastOfRegion = new Map<number | undefined, number>()
  return statements.map((statement, at) => {
    const [, region] = regions.around(statement)
    const previous = lastOfRegion.get(region)
    lastOfRegion.set(region, at)
    return previous
  })
}

type RegionTree = ReturnType<typeof regionTree>

/** Finds the parts that contain a range. */
function regionTree(ranges: readonly SourceRange[]) {
  /** The parts with their indexes, outer ones before those inside of them. */
  const sorted = ranges
    .map((range, index) => ({ range, index }))
    .toSorted((a, b) => byPlace(a.range, b.range))
  const contains = (at: number, range: SourceRange): boolean => {
    const entry = sorted[at]
    return entry !== undefined && containsRange(entry.range, range)
  }
  /** For each entry of the sorted list, that of the part around it; -1 for none. */
  const outer: number[] = []
  for (const [at, { range }] of sorted.entries()) {
    let candidate = at - 1
    while (candidate >= 0 && !contains(candidate, range)) candidate = outer[candidate] ?? -1
    outer.push(candidate)
  }
  /** Indexes of the parts that contain a range, innermost first. */
  function* around(range: SourceRange): Generator<number> {
    let at = bisect(sorted.length, (place) => (sorted[place]?.range.start ?? 0) <= range.start) - 1
    while (at >= 0 && !contains(at, range)) at = outer[at] ?? -1
    for (; at >= 0; at = outer[at] ?? -1) {
      const index = sorted[at]?.index
      if (index !== undefined) yield index
    }
  }
  return { ranges, around }
}

/** A region while the code is read. */
interface RegionState {
  /** Index of the last instruction in the region. */
  last: number
  /** Instruction and source at the begin of the region, and of its repetitions by the compiler. */
  readonly key: string
  entries: number
}

/**
 * How often each region was entered; undefined for one without code. The compiler repeats the code of a modifier in each function that
 * has it. Each copy begins with the same instruction of the same source, unlike the code after an interruption of a copy.
 */
export function entriesOf(
  regions: RegionTree,
  instructions: readonly CountedInstruction[],
  file: number,
): readonly (number | undefined)[] {
  const states: (RegionState | undefined)[] = regions.ranges.map(() => undefined)
  const jumps = jumpsTo(instructions)
  /** Executions of the first instruction of a region, without the jumps from the region itself: the rounds of a loop. */
  const entriesAt = ({ position, executions }: CountedInstruction, range: SourceRange | undefined): number => {
    const isInside = ({ location }: CountedInstruction): boolean =>
      location?.file === file && range !== undefined && containsRange(range, location)
    const rounds = jumps.get(position)?.filter(isInside) ?? []
    return rounds.reduce((rest, one) => rest - one.jumps, executions)
  }
  for (const [at, instruction] of instructions.entries()) {
    const { opcode, location } = instruction
    if (location?.file !== file) continue
    for (const index of regions.around(location)) {
      const state = states[index]
      if (state?.last === at - 1) {
        state.last = at
        continue
      }
      const key = `${opcode}:${location.start}:${location.end}`
      if (state === undefined) states[index] = { last: at, key, entries: entriesAt(instruction, regions.ranges[index]) }
      else {
        state.last = at
        if (state.key === key) state.entries += entriesAt(instruction, regions.ranges[index])
      }
    }
  }
  return states.map((state) => state?.entries)
}

/** The jumps to each position. Only those whose target is pushed just before them, as in loops. */
function jumpsTo(
  instructions: readonly CountedInstruction[],
): ReadonlyMap<number | undefined, readonly CountedInstruction[]> {
  const jumps = new Map<number | undefined, CountedInstruction[]>()
  for (const [at, instruction] of instructions.entries())
    if (instruction.jumps > 0)
      getOrAdd(jumps, instructions[at - 1]?.pushed, (): CountedInstruction[] => []).push(instruction)
  return jumps
}
