/** Collects the failed tests of a run with what their executions need to run again, and writes the file. */

import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NodeError } from '../../base/errors.ts'
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
const loadContracts = lazyPart('contracts of failures', () => import('./recorded-contracts.ts'))

/** Tests that are kept: the first ones of a run, for the later ones most often fail for the same reason. */
export const MAX_TESTS = 200

/** Where the failures of the last run of a folder are: with the caches of its tools, or in a folder of their own. */
export function lastRunPath(folder: string): string {
  const isPackage = existsSync(join(folder, 'package.json'))
  return join(folder, ...(isPackage ? ['node_modules', '.cache', 'dev-node'] : ['.dev-node']), 'last-run.dnr')
}

/** The file that the option names; undefined if there is to be none. */
export const reportPath = (option: boolean | string, folder = process.cwd()): string | undefined =>
  option === true ? lastRunPath(folder) : option || undefined

/** The failed tests of the chains of one node. */
export class FailureReport {
  readonly codes: Codes = new Map()
  readonly contracts = new Set<CompiledContract>()
  readonly rules: ReportedRules
  readonly #host: Host
  readonly #tests: ReportedTest[] = []
  /** What workers left. */
  readonly #taken: ReportContent[] = []

  constructor(network: Network, options: Pick<Options, 'allowUnlimitedContractSize' | 'release'>, host: Host) {
    this.rules = rulesOf(network, options)
    this.#host = host
  }

  get isFull(): boolean {
    return this.#tests.length >= MAX_TESTS
  }

  get size(): number {
    return this.#taken.reduce((sum, { tests }) => sum + tests.length, this.#tests.length)
  }

  add(test: ReportedTest): void {
    if (!this.isFull) this.#tests.push(test)
  }

  /** The tests for another node of the run; undefined without any. */
  async handOver(): Promise<string | undefined> {
    return this.size === 0 ? undefined : Buffer.from(await this.#encoded()).toString('base64')
  }

  /** Adds the tests of another node of the run. */
  async take(handedOver: string): Promise<void> {
    this.#taken.push((await loadFiles()).decodeReport(Buffer.from(handedOver, 'base64'), 'a worker'))
  }

  async #encoded(): Promise<Uint8Array> {
    const own: ReportContent = {
      version: findPackage().version,
      at: this.#host.now(),
      rules: this.rules,
      tests: this.#tests,
      codes: Object.fromEntries(this.codes),
      builds: (await loadContracts()).buildsOf(this.contracts),
    }
    return (await loadFiles()).encodeReport(this.#taken.reduce(joined, own))
  }

  /** Writes the file, with the tests that it has already if `isMerged`. @throws NodeError 'invalidOption' */
  async write(path: string, isMerged: boolean): Promise<void> {
    if (this.size === 0) return
    try {
      const earlier = isMerged ? await readFile(path).catch(whenMissing(undefined)) : undefined
      if (earlier !== undefined) this.#taken.unshift((await loadFiles()).decodeReport(earlier, path))
      await mkdir(dirname(path), { recursive: true })
      // The folder of a project without packages must not be committed.
      const folder = dirname(path)
      if (folder.endsWith('.dev-node')) await writeFile(join(folder, '.gitignore'), '*\n')
      await replaceFile({ path }, await this.#encoded())
    } catch (cause) {
      throw new NodeError('invalidOption', `--report: cannot write ${path}: ${reasonOf(cause)}`, { cause })
    }
  }
}

const joined = (one: ReportContent, other: ReportContent): ReportContent => ({
  ...one,
  tests: [...other.tests, ...one.tests],
  codes: { ...other.codes, ...one.codes },
  builds: [...other.builds, ...one.builds],
})

/** The rules without what is secret or large: keys, and accounts of the genesis. */
function rulesOf(
  { kind, accounts, genesis, ...network }: Network,
  { allowUnlimitedContractSize, release }: Pick<Options, 'allowUnlimitedContractSize' | 'release'>,
): ReportedRules {
  const { coinbase, difficulty, gasLimit, extraData, timestamp } = genesis
  return {
    kind: kind.name,
    network: { ...network, genesis: { coinbase, difficulty, gasLimit, extraData, timestamp } },
    allowUnlimitedContractSize,
    release,
  }
}
