/** Makes the report of coverage from counts and artifacts. */

import type { ContractCatalog } from '../artifacts/catalog.ts'
import { NodeError } from '../../base/errors.ts'
import { oncePerValue } from '../../base/once.ts'
import type { FileSummary, IstanbulCoverage } from '../../modules/coverage/results.ts'
import { SourceCounts } from './covered-files.ts'
import { lcovText, summaryOf, istanbulCoverage } from './istanbul.ts'
import type { ExecutionCounts } from './execution-counts.ts'
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'

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
  const sources = new SourceCounts({ contracts }, excludedBy(exclude, projects))
  const { files, unreadable } = sources
  if (files.length === 0) throw noSources(catalog, unreadable)
  let unknownCodes = 0
  for (const code of counts.codes) {
    const contract = catalog.contractOf(code.code, code.kind)
    if (contract === undefined) unknownCodes++
    else if (contracts.includes(contract)) sources.addCode(contract, code)
  }
  const istanbul = istanbulCoverage(sources.files)
  return {
    istanbul,
    summary: summaryOf(istanbul),
    lcov: lcovText(istanbul),
    sources: new Map(sources.files.map(({ path, content }) => [path, content])),
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
