/** Collects a run's failed tests with what their executions need to run again, and writes the file. */

import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { trouble } from '../../base/errors.ts'
import type { Host } from '../../base/host.ts'
import { replaceFile } from '../../base/replace-file.ts'
import { reasonOf, whenMissing } from '../../base/system-errors.ts'
import type { Network } from '../../config/network.ts'
import type { Options } from '../../config/options.ts'
import { findPackage } from '../../config/package.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import { lazyPart } from '../../base/lazy-part.ts'
import type { Codes } from './recorded-state.ts'
import type { ReportContent, ReportedRules, ReportedTest } from './report-file.ts'

const loadFiles = lazyPart('files of failures', () => import('./report-file.ts'))
const loadCiOutputs = lazyPart('outputs for CI', () => import('./ci-outputs.ts'))
const loadContracts = lazyPart('contracts of failures', () => import('./recorded-contracts.ts'))

/** Maximum number of kept tests. The last ones are kept. */
const MAX_TESTS = 200

/** The file in a project that is not a package, in a folder that must not be committed. */
const OWN_FILE = join('.dev-node', 'last-run.dnr')

/** Where the failures of a folder's last run are: with the caches of its tools, or in their own folder. */
export function lastRunPath(folder: string): string {
  const isPackage = existsSync(join(folder, 'package.json'))
  return join(folder, isPackage ? join('node_modules', '.cache', 'dev-node', 'last-run.dnr') : OWN_FILE)
}

/** The file that the option names; undefined if there should be none. */
export const reportPath = (option: boolean | string, folder = resolve('.')): string | undefined =>
  option === true ? lastRunPath(folder) : option || undefined

export interface ReportOptions extends Pick<Options, 'allowUnlimitedContractSize'> {
  readonly report: boolean | string
  readonly reportMerge: boolean
  readonly summary?: string | undefined
  readonly junit?: string | undefined
}

/** Milliseconds between a failed test and the next write of the file, because a run may be killed. */
const WRITE_AFTER_MS = 5000

/** The failed tests of the chains of one node. */
export class FailureReport {
  readonly codes: Codes = new Map()
  readonly contracts = new Set<CompiledContract>()
  /** Whether a runner has run tests on the node. */
  hasRun = false
  readonly #rules: ReportedRules
  readonly #options: ReportOptions
  readonly #host: Host
  /** Undefined if another process or nobody writes the file. */
  readonly #path: string | undefined
  readonly #isWorker: boolean
  #tests: ReportedTest[] = []
  /** Tests of the run's other nodes, and those that were in the file. */
  readonly #others: ReportContent[] = []
  /** Number of tests that were in the file. */
  #earlier = 0
  /** For GitHub Actions, once the report is closed. */
  #annotations = ''
  #cancel: (() => void) | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(network: Network, options: ReportOptions, host: Host, isWorker: boolean) {
    this.#rules = rulesOf(network, options)
    this.#options = options
    this.#host = host
    this.#path = isWorker ? undefined : reportPath(options.report)
    this.#isWorker = isWorker
  }

  get #size(): number {
    return this.#others.reduce((sum, { tests }) => sum + tests.length, this.#tests.length)
  }

  add(test: ReportedTest): void {
    this.#tests = [...this.#tests, test].slice(-MAX_TESTS)
    // If several processes share the file, each writes it at its end, in turn.
    if (this.#path !== undefined && !this.#options.reportMerge)
      this.#cancel ??= this.#host.schedule(WRITE_AFTER_MS, () => {
        this.#cancel = undefined
        // Faults of the file are reported when the node closes.
        this.#writing = this.#write().catch(() => undefined)
      })
  }

  /** The failed tests, for the process that writes the file; undefined if no test has run. */
  async handOver(): Promise<string | undefined> {
    return this.hasRun ? Buffer.from(await this.#encoded()).toString('base64') : undefined
  }

  /** Adds the tests of another process of the run. */
  async take(handedOver: string): Promise<void> {
    this.hasRun = true
    this.#others.push((await loadFiles()).decodeReport(Buffer.from(handedOver, 'base64'), 'a worker'))
  }

  /** The command that explains a failure after the run; null if no file is written. */
  commandFor(id: number): string | null {
    const { report } = this.#options
    return report === false ? null : `npx dev-node explain ${report === true ? '' : `${report} `}${id}`
  }

  /** What a terminal shows at the end, including annotations for GitHub Actions; empty without failed tests. */
  get closingText(): string {
    const { report } = this.#options
    if (this.#size === 0 || this.#path === undefined) return this.#annotations
    const tests = this.#size === 1 ? '1 failed test' : `${this.#size} failed tests`
    return `${this.#annotations}${tests}: npx dev-node show${report === true ? '' : ` ${report}`}\n`
  }

  /** Writes the files, if tests have failed. @throws NodeError 'invalidOption' */
  async close(isAbandoned: boolean): Promise<void> {
    this.#cancel?.()
    await this.#writing
    if (isAbandoned) return
    if (this.#size === 0) return this.#removeEarlier()
    await this.#write()
    if (this.#isWorker) return
    const tests = [...this.#others.flatMap((content) => content.tests), ...this.#tests]
    const { writeCiOutputs } = await loadCiOutputs()
    const paths = { ...this.#options, report: this.#path }
    this.#annotations = await writeCiOutputs(paths, this.#host, tests, this.#earlier)
  }

  /** Removes the last run's failures if tests have run and none has failed. A file that the user named stays. */
  async #removeEarlier(): Promise<void> {
    const { report, reportMerge } = this.#options
    if (this.hasRun && this.#path !== undefined && report === true && !reportMerge)
      await rm(this.#path, { force: true })
  }

  async #write(): Promise<void> {
    const path = this.#path
    if (path === undefined) return
    try {
      const earlier = this.#options.reportMerge
        ? await readFile(path).catch(whenMissing(undefined))
        : undefined
      if (earlier !== undefined) {
        this.#others.unshift((await loadFiles()).decodeReport(earlier, path))
        this.#earlier = this.#others[0]?.tests.length ?? 0
      }
      await mkdir(dirname(path), { recursive: true })
      if (path.endsWith(OWN_FILE)) await writeFile(join(dirname(path), '.gitignore'), '*\n')
      await replaceFile({ path }, await this.#encoded())
    } catch (cause) {
      throw trouble('DN-WRITE', `--report: cannot write ${path}: ${reasonOf(cause)}`, cause)
    }
  }

  async #encoded(): Promise<Uint8Array> {
    const own: ReportContent = {
      version: findPackage().version,
      at: this.#host.now(),
      rules: this.#rules,
      tests: this.#tests,
      codes: Object.fromEntries(this.codes),
      builds: (await loadContracts()).buildsOf(this.contracts),
    }
    return (await loadFiles()).encodeReport(this.#others.reduce(joined, own))
  }
}

const joined = (one: ReportContent, other: ReportContent): ReportContent => ({
  ...one,
  tests: [...other.tests, ...one.tests],
  codes: { ...other.codes, ...one.codes },
  builds: [...other.builds, ...one.builds],
})

/** The rules without secret or large parts: keys, and accounts of the genesis. */
function rulesOf(
  { kind, accounts: _, genesis, ...network }: Network,
  { allowUnlimitedContractSize }: Pick<Options, 'allowUnlimitedContractSize'>,
): ReportedRules {
  const { coinbase, difficulty, gasLimit, extraData, timestamp } = genesis
  return {
    kind: kind.name,
    network: { ...network, genesis: { coinbase, difficulty, gasLimit, extraData, timestamp } },
    allowUnlimitedContractSize,
  }
}
