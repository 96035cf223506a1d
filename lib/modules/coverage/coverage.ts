/** A node's coverage: counts all executions, and writes the results as files. */

import { dirname } from 'node:path'
import type { ContractCatalog } from '../../insight/artifacts/catalog.ts'
import { NodeError } from '../../base/errors.ts'
import type { Emitter } from '../../base/events.ts'
import { lazyPart } from '../../base/lazy-part.ts'
import type { CurrentMonitor } from '../../evm/observer.ts'
import type { ExecutionCounts } from './execution-counts.ts'
import type { IstanbulCoverage } from './results.ts'
import type { CoverageReport } from './coverage-report.ts'

/** Where coverage is written, and what is left out. */
export interface CoverageSettings {
  /** Absent if coverage is only returned by methods. */
  readonly folder: string | undefined
  /** Patterns of sources to leave out, besides libraries. */
  readonly exclude: readonly string[]
  /** Whether the counts are added to the files of an earlier run. */
  readonly merges: boolean
  /** Folder of an earlier run to compare with. */
  readonly base: string | undefined
}

/** Counts the executions of all chains of a node. The code for it is loaded only if the node counts. */
export class Coverage {
  readonly #catalog: ContractCatalog
  readonly #settings: CoverageSettings
  readonly #failed: Emitter<Error>
  readonly #load = lazyPart('coverage', async () => {
    const { ExecutionCounts } = await import('./execution-counts.ts')
    const report = await import('./coverage-report.ts')
    return { counts: new ExecutionCounts((error) => this.#fail(error)), report }
  })
  #counts: ExecutionCounts | undefined
  #earlier: IstanbulCoverage = {}
  /** The coverage to compare with; empty by default. */
  base: IstanbulCoverage = {}

  /** `failed` emits errors of the counting itself, after which nothing is counted. */
  constructor(catalog: ContractCatalog, settings: CoverageSettings, failed: Emitter<Error>) {
    this.#catalog = catalog
    this.#settings = settings
    this.#failed = failed
  }

  /** The counts, for executions that begin now. */
  readonly monitor: CurrentMonitor = () => this.#counts

  /**
   * Reads the coverage to add to or compare with. This comes first, so that a broken file costs no counts. @throws NodeError
   * 'coverageFailed'
   */
  async readEarlier(): Promise<void> {
    const { folder, merges, base } = this.#settings
    if (folder === undefined || !(merges || base)) return
    const { readCoverage } = await import('./coverage-files.ts')
    if (merges) this.#earlier = await readCoverage(folder)
    if (base) this.base = await readCoverage(base)
  }

  /** Adds another process's coverage report to the files. @throws ZodError for an invalid report */
  async add(istanbul: unknown): Promise<void> {
    const { mergedCoverage, readIstanbul } = await import('./istanbul.ts')
    this.#earlier = mergedCoverage(this.#earlier, readIstanbul(istanbul))
  }

  /** Counts from now on, in addition to existing counts. */
  async start(): Promise<void> {
    const { counts } = await this.#load()
    this.#counts = counts
  }

  /** Stops counting, and writes nothing. */
  stop(): void {
    this.#counts = undefined
  }

  /** Sets all counts to zero. @throws NodeError 'coverageOff' */
  reset(): void {
    this.#active().reset()
  }

  /** The coverage so far. @throws NodeError 'coverageOff'; 'coverageFailed' without artifacts or their ASTs */
  async report(): Promise<CoverageReport> {
    const counts = this.#active()
    await this.#catalog.refresh()
    const { report } = await this.#load()
    return report.reportOf(counts, this.#catalog, {
      exclude: this.#settings.exclude,
      projects: this.#catalog.folders.map((folder) => dirname(folder)),
    })
  }

  /** Writes the files. @throws NodeError 'coverageOff', also if the coverage has no folder; 'coverageFailed' */
  async write(): Promise<void> {
    const { folder } = this.#settings
    if (folder === undefined)
      throw new NodeError('coverageOff', 'coverage has no folder: start the node with --coverage <folder>')
    const report = await this.report()
    const { writeCoverage } = await import('./coverage-files.ts')
    await writeCoverage(folder, this.#earlier, report)
  }

  /** Writes the files if the coverage has a folder, and stops counting. @throws NodeError 'coverageFailed' */
  async close(): Promise<void> {
    if (this.#counts !== undefined && this.#settings.folder !== undefined) await this.write()
    this.#counts = undefined
  }

  #fail(error: unknown): void {
    this.stop()
    this.#failed.emit(error instanceof Error ? error : new Error(String(error)))
  }

  #active(): ExecutionCounts {
    if (this.#counts !== undefined) return this.#counts
    throw new NodeError(
      'coverageOff',
      'coverage is off: start the node with --coverage <folder>, or call dev_startCoverage',
    )
  }
}
