/** Mocha's test files: leaves out those that are unaffected, and records the others. */

import type { Ask } from '../ask.ts'
import { loadedByPackages, planRun, type AffectedRun } from './affected-run.ts'
import { FileRecorder } from './file-recorder.ts'

/** The members of a Mocha suite that are read here. The root suite has the tests and hooks outside of all `describe`. */
export interface MochaSuite {
  readonly parent?: MochaSuite
  suites: readonly MochaSuite[]
  tests: readonly { readonly file?: string }[]
  readonly file?: string
  readonly eachTest: (call: (test: { readonly file?: string }) => void) => void
  readonly getHooks: (kind: string) => readonly { readonly fn: object }[]
}

/** The members of a Mocha test or hook that are read here. */
interface FileRunnable {
  readonly type: string
  readonly file?: string
  readonly ctx?: { readonly currentTest?: { readonly file?: string } }
}

/** A hook belongs to the file of the test it runs for, because root hooks run for all files. */
const fileOf = ({ type, file, ctx }: FileRunnable): string | undefined =>
  (type === 'hook' ? ctx?.currentTest?.file : undefined) ?? file

const SHARED = 'hooks for all tests'
const HOOKS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll']

export class MochaFiles {
  readonly #run: AffectedRun
  readonly #planned: readonly string[]
  readonly #recorder: FileRecorder
  #file: string | undefined
  /** Number of tests by file that have not passed yet. */
  readonly #left = new Map<string, number>()
  /** Whether hooks run for the tests of all files. Mocha does not say which file contains them. */
  #hasHooks = false

  /** `planned` are the files that the runner loads, if they were planned. */
  constructor(run: AffectedRun, ask: Ask, planned: readonly string[] = []) {
    this.#run = run
    this.#planned = planned
    this.#recorder = new FileRecorder(run, ask)
  }

  /** Begins with the suites of all loaded files. `isOwn` recognises dev-node's hooks. */
  async begin(root: MochaSuite, isOwn: (hook: object) => boolean): Promise<void> {
    const files = new Set<string>()
    root.eachTest(({ file }) => file !== undefined && files.add(file))
    const { runs, sentence } = this.#run.isPlanned
      ? { runs: [...files], sentence: undefined }
      : await planRun([...files], this.#run)
    const isRun = ({ file }: { readonly file?: string }): boolean => file === undefined || runs.includes(file)
    root.suites = root.suites.filter(isRun)
    root.tests = root.tests.filter(isRun)
    this.#hasHooks = HOOKS.some((kind) => root.getHooks(kind).some(({ fn }) => !isOwn(fn)))
    for (const file of this.#planned)
      if (!files.has(file)) this.#recorder.withoutTests(file, this.#hasHooks ? [SHARED] : [])
    root.eachTest(({ file = '' }) => this.#left.set(file, (this.#left.get(file) ?? 0) + 1))
    if (sentence !== undefined && process.env['MOCHA_WORKER_ID'] === undefined)
      console.log(`dev-node: ${sentence}`)
  }

  /** Whether a test or a hook is the first one of its file. */
  isFirst(runnable: FileRunnable): boolean {
    const file = fileOf(runnable)
    return file !== undefined && this.#left.has(file) && file !== this.#file
  }

  async beginFile(runnable: FileRunnable): Promise<void> {
    await this.end()
    this.#file = fileOf(runnable)
    await this.#recorder.begin()
  }

  /** A test or hook has ended and will not run again. */
  ended({ type, file = '' }: FileRunnable, error: unknown): void {
    if (error !== undefined) this.#recorder.failed()
    else if (type === 'test') this.#left.set(file, (this.#left.get(file) ?? 0) - 1)
  }

  async end(): Promise<void> {
    const file = this.#file
    if (file === undefined) return
    this.#file = undefined
    if (this.#hasHooks) this.#recorder.doubt(SHARED)
    if (this.#left.get(file) !== 0) this.#recorder.skipped()
    const loaded = loadedByPackages(this.#run.root).filter(
      (path) => !this.#left.has(path) && !this.#planned.includes(path),
    )
    await this.#recorder.end(file, loaded)
  }
}
