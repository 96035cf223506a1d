/** Makes the report of coverage from counts and artifacts. */

import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { NodeError } from '../../base/errors.ts'
import { oncePerValue } from '../../base/once.ts'
import type { FileSummary, IstanbulCoverage, IstanbulFile } from './results.ts'
import type { ContractCatalog } from '../../insight/artifacts/catalog.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import { linesOf } from '../../insight/artifacts/source-unit.ts'
import { functionRuns, instructionsOf } from './code-listing.ts'
import type { CodeCounts, ExecutionCounts } from './execution-counts.ts'
import { lcovText, sumOf, summaryOf, unexecutedFile } from './istanbul.ts'
import { itemCounts } from './item-counts.ts'
import { sourceItems, type SourceItems } from './source-items.ts'

/** The coverage at some time. */
export interface CoverageReport {
  readonly istanbul: IstanbulCoverage
  readonly summary: readonly FileSummary[]
  /** The text of an `lcov.info`. */
  readonly lcov: string
  /** Texts of the sources by path. */
  readonly sources: ReadonlyMap<string, string>
  /** Number of executed codes that no artifact describes. */
  readonly unknownCodes: number
}

/** The report of counts; `projects` are the folders of the projects. @throws NodeError 'coverageFailed' if there is no source to report on */
export function reportOf(
  counts: ExecutionCounts,
  catalog: ContractCatalog,
  { exclude, projects }: Readonly<Record<'exclude' | 'projects', readonly string[]>>,
): CoverageReport {
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
  const istanbul = Object.fromEntries(covered.map(([path, { coverage }]) => [path, coverage]))
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

/** Sources that are always left out: packages and libraries by the conventions of tools, tests and scripts of Foundry. */
const LIBRARY_PATTERNS = [
  'node_modules',
  '@*/**',
  'npm/**',
  'lib/**',
  'hardhat/console.sol',
  '*.t.sol',
  '*.s.sol',
]

/**
 * Returns whether the source at a path is left out: by these patterns, or because it is a library. `projects` are the folders of the
 * projects.
 */
export function excludedBy(
  patterns: readonly string[],
  projects: readonly string[],
): (path: string) => boolean {
  const expressions = [...LIBRARY_PATTERNS, ...patterns].map(expressionOf)
  const isExcluded: (path: string) => boolean = oncePerValue((path) => {
    if (isAbsolute(path)) {
      const inside = projects.map((project) => relative(project, path)).find((one) => !one.startsWith('..'))
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
 * The expression of a pattern: `*` is any text without a slash, `**` any text. A pattern without a slash matches files and folders at
 * any depth. A folder matches with all that is in it.
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

/** A source with the counts of its items. */
interface CoveredFile {
  readonly content: string
  readonly items: SourceItems
  readonly coverage: IstanbulFile
}

/** The sources of contracts by their paths, and those that were left out because the artifacts lack their AST or their text. */
function coveredFiles(contracts: readonly CompiledContract[], isExcluded: (path: string) => boolean) {
  const files = new Map<string, CoveredFile>()
  const unreadable = new Set<string>()
  const compilations = new Set(contracts.map(({ compilation }) => compilation))
  for (const unit of [...compilations].flatMap(({ sources }) => sources)) {
    const { path, content } = unit
    // The newest text of a path counts: that of the contract that was compiled last.
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

/** Adds the counts of a code of a contract to its sources. */
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
