/** Counts statements, functions and branches of a source in the instructions of one code. */

import { containsRange, isSameRange } from '../../insight/artifacts/ast-node.ts'
import { JUMPI, type SourceRange } from '../../insight/artifacts/source-map.ts'
import type { SolidityFunction } from '../../insight/artifacts/solidity-ast.ts'
import { ENDS, isIn, keyOf, type CountedInstruction } from './code-listing.ts'
import { byIndex, type ItemCounts } from './istanbul.ts'
import { entriesOf, type SolidityBranch, type SourceItems } from './source-items.ts'

interface SourceInCode {
  /** Id of the source in the compilation. */
  readonly file: number
  /** Counts of functions and of their bodies by their keys (code-listing.ts). */
  readonly functions: ReadonlyMap<string, number>
}

export function itemCounts(
  items: SourceItems,
  instructions: readonly CountedInstruction[],
  { file, functions: runs }: SourceInCode,
): ItemCounts {
  const { statements, functions, branches, bodies } = items
  const entries = entriesOf(items.regions, instructions, file)
  // The optimizer merges functions with others, so that some code of them is entered without a jump to their beginning.
  const ofStatements = ({ range }: SolidityFunction): number =>
    entries[statements.findIndex((statement) => containsRange(range, statement))] ?? 0
  const ofFunctions = functions.map((one, index) => {
    const [counted, own] = [runs.get(keyOf({ file, ...one.range })), entries[statements.length + index]]
    const isEntered = one.kind === 'function' || one.kind === 'modifier'
    return (isEntered ? (counted ?? own) : (own ?? counted)) || ofStatements(one)
  })
  const conditionalJumps = instructions.filter(
    ({ opcode, location }) => opcode === JUMPI && location?.file === file,
  )
  let at = statements.length + functions.length
  const ofBranches = branches.map((branch) => {
    const counts = branch.ways.map((way) => (way === undefined ? undefined : entries[at++]))
    return waysTaken(branch, counts, conditionalJumps)
  })
  const ofWays = branches.flatMap(({ ways }, index) =>
    ways.flatMap((way, number) => (way === undefined ? [] : [ofBranches[index]?.[number] ?? 0])),
  )
  const ofStatement = statementCounts(items, instructions, file, [
    ...entries.slice(0, statements.length),
    ...ofFunctions,
    ...ofWays,
    // What the compiler dropped with all of a body did not run, as far as is known.
    ...bodies.map((_body, index) => entries[at + index] ?? 0),
    ...functions.map(
      ({ range, body = range }, index) =>
        entries[at + bodies.length + index] ?? runs.get(keyOf({ file, ...body })),
    ),
  ])
  return { s: byIndex(ofStatement), f: byIndex(ofFunctions), b: byIndex(ofBranches) }
}

/**
 * Counts the statements, from the counts of regions, undefined for those without code. A statement without code, such as a jump to what
 * follows it, runs as often as the one before it ended.
 */
function statementCounts(
  { statements, regions, previous }: SourceItems,
  instructions: readonly CountedInstruction[],
  file: number,
  ofRegions: readonly (number | undefined)[],
): readonly number[] {
  const counts = [...ofRegions]
  const codeless = (last: number | undefined, statement: SourceRange): number | undefined => {
    if (last === undefined)
      return counts[[...regions.around(statement)].find((region) => counts[region] !== undefined) ?? -1]
    const before = statements[last]
    return before && (endsOf(before, instructions, file) ?? counts[last])
  }
  const unreachable = new Set<number | undefined>()
  return statements.map((statement, index) => {
    const last = previous()[index]
    const isAfterExit = last !== undefined && statements[last]?.canEnd === false
    if (isAfterExit || unreachable.has(last)) unreachable.add(index)
    return (counts[index] = unreachable.has(index) ? 0 : (counts[index] ?? codeless(last, statement) ?? 0))
  })
}

/**
 * How often each way was taken, from the conditional jumps whose source is the whole branch. A way without code of its own gets what
 * the others leave.
 */
function waysTaken(
  { kind, range }: SolidityBranch,
  counts: readonly (number | undefined)[],
  conditionalJumps: readonly CountedInstruction[],
): number[] {
  const decisions = conditionalJumps.filter(({ location }) => location && isSameRange(location, range))
  const taken = decisions.reduce((sum, { jumps }) => sum + jumps, 0)
  const notTaken = decisions.reduce((sum, { executions }) => sum + executions, -taken)
  if (kind === 'require') return [taken, notTaken]
  const known = counts.filter((count) => count !== undefined)
  // solc jumps to the first way of `a ? b : c`, and over that of an `if`.
  if (known.length === 0) return kind === 'conditional' ? [taken, notTaken] : [notTaken, taken]
  const rest = Math.max(0, taken + notTaken - known.reduce((sum, count) => sum + count, 0))
  return counts.map((count) => count ?? rest)
}

/** How often executions came to the end of a statement, and went on; undefined for one without code. */
function endsOf(
  statement: SourceRange,
  instructions: readonly CountedInstruction[],
  file: number,
): number | undefined {
  const isInside = (one: CountedInstruction | undefined): boolean =>
    one !== undefined && isIn(one, { file, ...statement })
  const ends = instructions.filter((one, at) => isInside(one) && !isInside(instructions[at + 1]))
  const last = ends.at(-1)
  // The compiler repeats the code of modifiers.
  return last && ends.filter((one) => isCopy(one, last)).reduce((sum, one) => sum + passesOf(one), 0)
}

const isCopy = (one: CountedInstruction, other: CountedInstruction): boolean =>
  one.opcode === other.opcode && keyOf(one.location) === keyOf(other.location)

/** How often the next instruction ran after an instruction. */
const passesOf = ({ opcode, executions, jumps }: CountedInstruction): number =>
  ENDS.has(opcode) ? 0 : executions - jumps
