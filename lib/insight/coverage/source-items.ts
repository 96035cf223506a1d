/** The items of a source that can be covered: statements, functions and branches, and how often executions entered them. */

import { bisect } from '../../base/bisect.ts'
import type { SourceUnit } from '../artifacts/compilation.ts'
import { once, oncePer } from '../../base/once.ts'
import { soliditySource } from '../artifacts/solidity-ast.ts'
import { JUMPDEST, JUMPI } from '../artifacts/source-map.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import { statementsOf } from '../artifacts/statements.ts'
import type { SolidityExit } from '../artifacts/statements.ts'
import { containsRange } from '../artifacts/ast-node.ts'
import { ENDS } from './code-listing.ts'
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
  /** The statements, then the functions, then the ways of the branches that have a source. */
  const regions = regionTree([...statements, ...functions.map(({ range }) => range), ...ways])
  /** The statements before each statement. */
  const before = once(() => statementOrder(statements, found.exits, regions))
  return { statements, functions, branches, regions, before }
}

const byPlace = (a: SourceRange, b: SourceRange): number => a.start - b.start || b.end - a.end

/** The items of a source, read at the first call; undefined without an AST. */
export const sourceItems = oncePer(({ ast }: SourceUnit) =>
  soliditySource(ast) === undefined ? undefined : itemsOf(ast),
)

/** A statement that can leave its block, such as `if (a) return`. By indexes of statements. */
interface LeavingStatement {
  readonly statement: number
  /** The statements in it that leave. */
  readonly exits: readonly number[]
}

/** Statements before a statement in the same block. */
interface StatementsBefore {
  /** The one before it. Undefined for the first one, and where that contains others: which of them ends it is not known. */
  readonly previous: SourceRange | undefined
  /** The last one that can leave the block. */
  readonly leaving: LeavingStatement | undefined
}

/** Finds the statements before each of the statements, which are in the order of the source. */
function statementOrder(
  statements: readonly SourceRange[],
  exits: readonly SolidityExit[],
  regions: RegionTree,
): readonly StatementsBefore[] {
  const indexes = new Map(statements.map((one, index) => [`${one.start}:${one.end}`, index]))
  const exitsIn = (one: SourceRange): readonly number[] =>
    exits
      .filter(({ range, loop }) => containsRange(one, range) && !(loop && containsRange(one, loop)))
      .map(({ range }) => indexes.get(`${range.start}:${range.end}`))
      .filter((index) => index !== undefined)
  const isSimple = (at: number): boolean => {
    const [before, one, after] = [statements[at - 1], statements[at], statements[at + 1]]
    return [before, after].every(
      (next) => next === undefined || one === undefined || !containsRange(one, next),
    )
  }
  const lastOfBlock = new Map<number | undefined, number>()
  const leavingOfBlock = new Map<number | undefined, LeavingStatement>()
  return statements.map((statement, at) => {
    const [, block] = regions.around(statement)
    const before = lastOfBlock.get(block)
    const leaving = leavingOfBlock.get(block)
    lastOfBlock.set(block, at)
    const left = exitsIn(statement)
    if (left.length > 0) leavingOfBlock.set(block, { statement: at, exits: left })
    return { previous: before !== undefined && isSimple(before) ? statements[before] : undefined, leaving }
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
  return { count: ranges.length, around }
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
  const states: (RegionState | undefined)[] = Array.from({ length: regions.count }, () => undefined)
  for (const [at, { opcode, location }] of instructions.entries()) {
    if (location?.file !== file) continue
    for (const index of regions.around(location)) {
      const state = states[index]
      if (state?.last === at - 1) {
        state.last = at
        continue
      }
      const key = `${opcode}:${location.start}:${location.end}`
      if (state === undefined) states[index] = { last: at, key, entries: entriesAt(instructions, at) }
      else {
        state.last = at
        if (state.key === key) state.entries += entriesAt(instructions, at)
      }
    }
  }
  return states.map((state) => state?.entries)
}

/** How often an instruction was reached from before. A loop begins with a JUMPDEST, which its end jumps to. */
function entriesAt(instructions: readonly CountedInstruction[], at: number): number {
  const { opcode, executions } = instructions[at] ?? { opcode: 0, executions: 0 }
  const before = instructions[at - 1]
  if (opcode !== JUMPDEST || before === undefined) return executions
  return ENDS.has(before.opcode) || before.opcode === JUMPI ? executions : before.executions
}
