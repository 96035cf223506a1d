/** Counts statements, functions and branches of a source in the instructions of one code. */

import { containsRange } from '../artifacts/ast-node.ts'
import { JUMP, JUMPI } from '../artifacts/source-map.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import type { SolidityFunction } from '../artifacts/solidity-ast.ts'
import type { SolidityBranch } from '../artifacts/statements.ts'
import { timesNotTaken } from './code-listing.ts'
import type { CountedInstruction } from './code-listing.ts'
import { entriesOf } from './source-items.ts'
import type { SourceItems } from './source-items.ts'

/** How often the items of a source were executed. */
export interface ItemCounts {
  readonly statements: readonly number[]
  readonly functions: readonly number[]
  /** For each branch, the count of each of its ways. */
  readonly branches: readonly (readonly number[])[]
}

/** The counts of items that were not executed. */
export const noCounts = ({ statements, functions, branches }: SourceItems): ItemCounts => ({
  statements: statements.map(() => 0),
  functions: functions.map(() => 0),
  branches: branches.map(({ ways }) => ways.map(() => 0)),
})

/** The sum of counts of the same items. */
export const sumOfCounts = (one: ItemCounts, other: ItemCounts): ItemCounts => ({
  statements: sums(one.statements, other.statements),
  functions: sums(one.functions, other.functions),
  branches: one.branches.map((ways, index) => sums(ways, other.branches[index] ?? [])),
})

const sums = (one: readonly number[], other: readonly number[]): readonly number[] =>
  one.map((count, index) => count + (other[index] ?? 0))

interface SourceInCode {
  /** Id of the source in the compilation. */
  readonly file: number
  /** Names of its contracts whose constructors the code runs. */
  readonly created: ReadonlySet<string> | undefined
}

/** Counts the items of a source in one code. */
export function itemCounts(
  items: SourceItems,
  instructions: readonly CountedInstruction[],
  { file, created }: SourceInCode,
): ItemCounts {
  const entries = entriesOf(items.regions, instructions, file)
  const { statements, functions, branches, regions } = items
  const entered = functionEntries(functions, instructions, file)
  // solc makes no code for an empty constructor.
  const ofEmpty = ({ kind, contract }: SolidityFunction): number =>
    kind === 'constructor' && created?.has(contract?.name ?? '') === true
      ? (instructions[0]?.executions ?? 0)
      : 0
  // The optimizer merges functions with others, so that some code of them is entered without a jump to their beginning.
  const ofStatements = ({ range }: SolidityFunction): number =>
    entries[statements.findIndex((statement) => containsRange(range, statement))] ?? 0
  const ofFunctions = functions.map(
    (one, index) =>
      (entered[index] ?? entries[statements.length + index] ?? ofEmpty(one)) || ofStatements(one),
  )
  const decisions = decisionsOf(branches, instructions, file)
  const firstWay = statements.length + functions.length
  let at = firstWay
  const ofBranches = branches.map((branch, index) => {
    const counts = branch.ways.map((way) => (way === undefined ? undefined : entries[at++]))
    return waysTaken(branch, counts, decisions[index])
  })
  const ofWays = branches.flatMap(({ ways }, index) =>
    ways.flatMap((way, number) => (way === undefined ? [] : [ofBranches[index]?.[number] ?? 0])),
  )
  // A statement without code of its own, such as a jump that solc made part of a condition, runs with the code around it.
  const around = (statement: SourceRange): number => {
    for (const region of regions.around(statement))
      if (region >= statements.length)
        return ofWays[region - firstWay] ?? ofFunctions[region - statements.length] ?? 0
    return 0
  }
  const codeless = (index: number, statement: SourceRange): number =>
    isCutOff(index, items, instructions, file)
      ? 0
      : (countAfterExit(index, items, entries) ?? around(statement))
  return {
    statements: statements.map((statement, index) => entries[index] ?? codeless(index, statement)),
    functions: ofFunctions,
    branches: ofBranches,
  }
}

/** Conditional jumps of a branch. */
interface Decisions {
  /** How often one was executed. */
  readonly all: number
  /** How often none was taken. */
  readonly notTaken: number
}

/** The conditional jumps whose source is the whole branch. */
function decisionsOf(
  branches: readonly SolidityBranch[],
  instructions: readonly CountedInstruction[],
  file: number,
): readonly (Decisions | undefined)[] {
  const byRange = new Map(branches.map(({ range }, index) => [`${range.start}:${range.end}`, index]))
  const decisions: (Decisions | undefined)[] = branches.map(() => undefined)
  for (const [at, { opcode, location, executions }] of instructions.entries()) {
    if (opcode !== JUMPI || location?.file !== file) continue
    const index = byRange.get(`${location.start}:${location.end}`)
    if (index === undefined) continue
    const notTaken = timesNotTaken(instructions, at) ?? 0
    const known = decisions[index] ?? { all: 0, notTaken: 0 }
    decisions[index] = { all: known.all + executions, notTaken: known.notTaken + notTaken }
  }
  return decisions
}

/** How often each way was taken. A way without code of its own gets what the others leave. */
function waysTaken(
  { kind }: SolidityBranch,
  counts: readonly (number | undefined)[],
  decisions: Decisions | undefined,
): readonly number[] {
  const { all = 0, notTaken = 0 } = decisions ?? {}
  if (kind === 'require') return [all - notTaken, notTaken]
  const known = counts.filter((count) => count !== undefined)
  // solc jumps over the true way of an `if`.
  if (known.length === 0) return [notTaken, all - notTaken]
  const rest = Math.max(0, all - known.reduce((sum, count) => sum + count, 0))
  return counts.map((count) => count ?? rest)
}

/**
 * Whether no execution came past the statement before a statement, such as one that always fails.
 * @param statement index in the items
 */
function isCutOff(
  statement: number,
  { before }: SourceItems,
  instructions: readonly CountedInstruction[],
  file: number,
): boolean {
  const previous = before()[statement]?.previous
  if (previous === undefined) return false
  const isInside = ({ location }: CountedInstruction): boolean =>
    location?.file === file && containsRange(previous, location)
  const last = instructions.findLast(isInside)
  if (last === undefined) return false
  // The compiler repeats the code of modifiers.
  const copies = instructions.filter((one) => isInside(one) && isCopy(one, last))
  return copies.every(({ executions }) => executions === 0)
}

const isCopy = (one: CountedInstruction, other: CountedInstruction): boolean =>
  one.opcode === other.opcode &&
  one.location?.start === other.location?.start &&
  one.location?.end === other.location?.end

/**
 * How often executions came past the last statement before a statement that can leave the block, such as `if (a) return`; undefined
 * without one. Where the count of an exit is not known, no execution is: what was not executed must not be reported as executed.
 * @param statement index in the items
 * @param entries how often the statements were entered
 */
function countAfterExit(
  statement: number,
  { before }: SourceItems,
  entries: readonly (number | undefined)[],
): number | undefined {
  const leaving = before()[statement]?.leaving
  if (leaving === undefined) return undefined
  let rest = entries[leaving.statement] ?? 0
  for (const exit of leaving.exits) rest -= entries[exit] ?? rest
  return Math.max(0, rest)
}

/** How often the functions were entered by jumps into them; undefined for a function that no jump enters. */
function functionEntries(
  functions: readonly SolidityFunction[],
  instructions: readonly CountedInstruction[],
  file: number,
): readonly (number | undefined)[] {
  const byRange = new Map(functions.map(({ range }, index) => [`${range.start}:${range.end}`, index]))
  const counts: (number | undefined)[] = functions.map(() => undefined)
  for (const { location, executions } of entered(instructions)) {
    if (location?.file !== file) continue
    const index = byRange.get(`${location.start}:${location.end}`)
    if (index !== undefined) counts[index] = (counts[index] ?? 0) + executions
  }
  return counts
}

/** The instructions that jumps into functions lead to. */
function entered(instructions: readonly CountedInstruction[]): readonly CountedInstruction[] {
  const targets = new Set<number>()
  for (const [at, { opcode, jump }] of instructions.entries()) {
    const target = opcode === JUMP && jump === 'into' ? instructions[at - 1]?.pushed : undefined
    if (target !== undefined) targets.add(target)
  }
  return instructions.filter(({ position }) => targets.has(position))
}
