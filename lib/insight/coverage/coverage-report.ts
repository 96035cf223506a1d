/** Makes the report of coverage from counts and artifacts. */

import type { ContractCatalog } from '../artifacts/catalog.ts'
import { NodeError } from '../../base/errors.ts'
import type { FileSummary, IstanbulCoverage } from '../../schema/report-results.ts'
import { SourceCounts } from './covered-files.ts'
import { lcovText, summaryOf } from './lcov.ts'
import type { ExecutionCounts } from './execution-counts.ts'
import { istanbulCoverage } from './istanbul.ts'
import { excludedBy } from './source-patterns.ts'

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

/** Which sources are covered. */
export interface SourceSelection {
  readonly exclude: readonly string[]
  /** Folders of the projects. */
  readonly projects: readonly string[]
}

/** The report of counts. @throws NodeError 'coverageFailed' if there is no source to report on */
export function reportOf(
  counts: ExecutionCounts,
  catalog: ContractCatalog,
  { exclude, projects }: SourceSelection,
): CoverageReport {
  const sources = new SourceCounts(catalog, excludedBy(exclude, projects))
  const { files, unreadable } = sources
  if (files.length === 0) throw noSources(catalog, unreadable)
  let unknownCodes = 0
  for (const code of counts.codes) {
    const contract = catalog.contractOf(code.code, code.kind)
    if (contract === undefined) unknownCodes++
    else sources.addCode(contract, code)
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
