/** Makes the coverage report from counts and artifacts. */

import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { NodeError } from '../../base/errors.ts'
import { oncePerValue } from '../../base/once.ts'
import { containsRange, isSameRange } from '../../insight/artifacts/ast-node.ts'
import type { ContractCatalog } from '../../insight/artifacts/catalog.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import type { SolidityFunction } from '../../insight/artifacts/solidity-ast.ts'
import { JUMPI, type SourceRange } from '../../insight/artifacts/source-map.ts'
import { linesOf } from '../../insight/artifacts/source-unit.ts'
import { functionRuns, instructionsOf, ENDS, isIn, keyOf, type CountedInstruction } from './code-listing.ts'
import type { CodeCounts, ExecutionCounts } from './execution-counts.ts'
import { lcovText, sumOf, summaryOf, unexecutedFile, byIndex, type ItemCounts } from './istanbul.ts'
import type { IstanbulCoverage, IstanbulFile } from './results.ts'
import { sourceItems, entriesOf, type SourceItems, type SolidityBranch } from './source-items.ts'

export type CoverageReport = ReturnType<typeof reportOf>

/** The report of counts; `projects` are the project folders. @throws NodeError 'coverageFailed' without sources to report on */
export function reportOf(
  counts: ExecutionCounts,
  catalog: ContractCatalog,
  { exclude, projects }: Readonly<Record<'exclude' | 'projects', readonly string[]>>,
) {
  const contracts = catalog.projectContracts
  const { files, unreadable } = coveredFiles(contracts, excludedBy(exclude, projects))
  if (files.size === 0) throw noSources(catalog, unreadable)
  let unknownCodes = 0
  for (const code of counts.codes) {
    const contract = catalog.contractOf(code.code, code.kind)
    if (contract === undefined) unknownCodes++
    else if (contracts.includes(contract)) addCode(files, contract, code)
  }
  const covered = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const istanbul: IstanbulCoverage = Object.fromEntries(
    covered.map(([path, { coverage }]) => [path, coverage]),
  )
  return {
    istanbul,
    summary: summaryOf(istanbul),
    lcov: lcovText(istanbul),
    sources: new Map(covered.map(([path, { content }]) => [path, content])),
    unknownCodes,
  }
}

function noSources({ contracts, folders }: ContractCatalog, unreadable: ReadonlySet<string>): NodeError {
  const [example] = unreadable
  const where = `the folders ${folders.join(', ')}`
  let reason = `the artifacts of ${unreadable.size} sources, such as ${example}, lack the AST or the text; Foundry writes the AST with ast = true in foundry.toml`
  if (contracts.length === 0) reason = `${where} contain no artifacts; name others with --artifacts`
  else if (example === undefined) reason = `the artifacts in ${where} name no source that is not excluded`
  return new NodeError('coverageFailed', `no coverage: ${reason}`)
}

/** Sources that are always left out: packages and libraries by the tools' conventions, and Foundry's tests and scripts. */
const LIBRARY_PATTERNS = [
  'node_modules',
  '@*/**',
  'npm/**',
  'lib/**',
  'hardhat/console.sol',
  '*.t.sol',
  '*.s.sol',
]

/** Returns a function that tells whether a source is left out: by these patterns, or as a library. `projects` are the project folders. */
export function excludedBy(
  patterns: readonly string[],
  projects: readonly string[],
): (path: string) => boolean {
  const expressions = [...LIBRARY_PATTERNS, ...patterns].map(expressionOf)
  const isExcluded: (path: string) => boolean = oncePerValue((path) => {
    if (isAbsolute(path)) {
      const inside = projects.map((project) => relative(project, path)).find((way) => !way.startsWith('..'))
      return inside === undefined || isAbsolute(inside) || isExcluded(inside)
    }
    return (
      expressions.some((expression) => expression.test(path)) ||
      projects.some((project) => existsSync(join(project, 'node_modules', path)))
    )
  })
  return isExcluded
}

/**
 * The regular expression of a pattern: `*` is any text without a slash, `**` any text. A pattern without a slash matches files and
 * folders at any depth. A folder includes all its content.
 */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\*\*|\*|\?)/).map((part) => WILDCARDS[part] ?? literal(part))
  const anchor = pattern.includes('/') ? '^(?:\\./)?' : '(?:^|/)'
  return new RegExp(`${anchor}${parts.join('').replace(/\/$/, '')}(?:/|$)`)
}

const WILDCARDS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}

const literal = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, '\\$&')

interface CoveredFile {
  readonly content: string
  readonly items: SourceItems
  readonly coverage: IstanbulFile
}

/** The contracts' sources by path, and those left out because the artifacts lack their AST or text. */
function coveredFiles(contracts: readonly CompiledContract[], isExcluded: (path: string) => boolean) {
  const files = new Map<string, CoveredFile>()
  const unreadable = new Set<string>()
  const compilations = new Set(contracts.map(({ compilation }) => compilation))
  for (const unit of [...compilations].flatMap(({ sources }) => sources)) {
    const { path, content } = unit
    // For each path, the text of the contract compiled last counts.
    if (files.has(path) || isExcluded(path)) continue
    const items = sourceItems(unit)
    const lines = linesOf(unit)
    if (items === undefined || lines === undefined || content === undefined) unreadable.add(path)
    else {
      unreadable.delete(path)
      files.set(path, { content, items, coverage: unexecutedFile(path, lines, items) })
    }
  }
  return { files, unreadable }
}

function addCode(files: Map<string, CoveredFile>, contract: CompiledContract, counted: CodeCounts): void {
  const compiled = contract[counted.kind]
  if (compiled === undefined) return
  const instructions = instructionsOf(compiled, counted)
  const functions = functionRuns(contract, counted.kind, instructions)
  // An empty constructor has no code.
  const ids = new Set([
    ...instructions.map(({ location }) => location?.file),
    ...[...functions.keys()].map((key) => Number.parseInt(key)),
  ])
  for (const id of ids) {
    const unit = id === undefined ? undefined : contract.compilation.source(id)
    const file = unit && files.get(unit.path)
    if (id === undefined || unit === undefined || file === undefined || file.content !== unit.content)
      continue
    const added = itemCounts(file.items, instructions, { file: id, functions })
    files.set(unit.path, { ...file, coverage: sumOf(added, file.coverage) })
  }
}

interface SourceInCode {
  readonly file: number
  /** Counts of functions and of their bodies by their keys (code-listing.ts). */
  readonly functions: ReadonlyMap<string, number>
}

function itemCounts(
  items: SourceItems,
  instructions: readonly CountedInstruction[],
  { file, functions: runs }: SourceInCode,
): ItemCounts {
  const { statements, functions, branches, bodies } = items
  const entries = entriesOf(items.regions, instructions, file)
  // The optimizer merges functions, so that some code is entered without a jump to its beginning.
  const ofStatements = ({ range }: SolidityFunction): number =>
    entries[statements.findIndex((statement) => containsRange(range, statement))] ?? 0
  const ofFunctions = functions.map((declared, index) => {
    const [counted, own] = [runs.get(keyOf({ file, ...declared.range })), entries[statements.length + index]]
    const isEntered = declared.kind === 'function' || declared.kind === 'modifier'
    return (isEntered ? (counted ?? own) : (own ?? counted)) || ofStatements(declared)
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
    // If the compiler dropped all of a body's code, it counts as not run.
    ...bodies.map((_body, index) => entries[at + index] ?? 0),
    ...functions.map(
      ({ range, body = range }, index) =>
        entries[at + bodies.length + index] ?? runs.get(keyOf({ file, ...body })),
    ),
  ])
  return { s: byIndex(ofStatement), f: byIndex(ofFunctions), b: byIndex(ofBranches) }
}

/**
 * Counts statements from the counts of regions, which are undefined without code. A statement without code, such as a jump to what
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

/** How often each way was taken, from the jumps of the whole branch. A way without code gets the remainder. */
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
  // solc jumps to the first way of `a ? b : c`, and over the first way of an `if`.
  if (known.length === 0) return kind === 'conditional' ? [taken, notTaken] : [notTaken, taken]
  const rest = Math.max(0, taken + notTaken - known.reduce((sum, count) => sum + count, 0))
  return counts.map((count) => count ?? rest)
}

/** How often executions reached a statement's end and continued; undefined without code. */
function endsOf(
  statement: SourceRange,
  instructions: readonly CountedInstruction[],
  file: number,
): number | undefined {
  const isInside = (instruction: CountedInstruction | undefined): boolean =>
    instruction !== undefined && isIn(instruction, { file, ...statement })
  const ends = instructions.filter(
    (instruction, at) => isInside(instruction) && !isInside(instructions[at + 1]),
  )
  const last = ends.at(-1)
  // The compiler copies the code of modifiers.
  return last && ends.filter((end) => isCopy(end, last)).reduce((sum, end) => sum + passesOf(end), 0)
}

const isCopy = (one: CountedInstruction, other: CountedInstruction): boolean =>
  one.opcode === other.opcode && keyOf(one.location) === keyOf(other.location)

/** How often the next instruction ran after an instruction. */
const passesOf = ({ opcode, executions, jumps }: CountedInstruction): number =>
  ENDS.has(opcode) ? 0 : executions - jumps
