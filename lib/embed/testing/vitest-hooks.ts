/** Hooks of Vitest that explain failed tests and failed hooks before all tests of a suite. */

import { beforeAllTitle, explainFailedTest, tellOfTests } from './failed-tests.ts'

interface VitestTest {
  readonly name: string
  readonly suite?: VitestTest | undefined
  readonly file?: VitestFile
  /** How often it runs again after a failure. An object from Vitest 4 on. */
  readonly retry?: number | { readonly count?: number }
  readonly result?: {
    readonly state: string
    readonly startTime?: number
    readonly retryCount?: number
    readonly errors?: readonly object[]
  }
}

interface VitestFile extends VitestSuite {
  readonly filepath: string
}

interface VitestSuite extends VitestTest {
  readonly tasks: readonly (VitestTest | VitestSuite)[]
}

/** Functions that register hooks for the file that is being collected. */
export interface VitestHooks extends SuiteFunctions {
  readonly afterEach: (hook: (context: { readonly task: VitestTest }) => Promise<void>) => void
}

/** Functions of 'vitest/suite', or of the TestRunner that Vitest has from 4.1 on, whose name for the hooks of a suite is another. */
interface SuiteFunctions {
  /** `beforeAll` itself refuses hooks whose parameter is the suite, from Vitest 4 on. */
  readonly getCurrentSuite?: () => {
    readonly on: (name: 'beforeAll', hook: (file: VitestFile) => void) => void
  }
  readonly getHooks?: GetHooks | undefined
  readonly getSuiteHooks?: GetHooks
}

type GetHooks = (suite: VitestSuite) => { readonly afterAll: (() => Promise<void>)[] }

type Ask = Parameters<typeof explainFailedTest>[1]

interface Vitest extends VitestHooks {
  readonly afterAll: (hook: () => Promise<void>) => void
  readonly TestRunner?: SuiteFunctions
}

const isVitest = (loaded: object): loaded is Vitest => typeof Reflect.get(loaded, 'afterEach') === 'function'

/** Imports a module of the project; its name is not resolved here. */
const importOfProject = (name: string): Promise<object> => import(name)

/** Explains failed tests of the files that a worker runs, and records their files. `ask` sends a request to their node. */
export async function explainVitest(ask: Ask): Promise<void> {
  const vitest = await importOfProject('vitest')
  if (!isVitest(vitest)) return
  const functions: SuiteFunctions =
    vitest.TestRunner ?? (await importOfProject('vitest/suite').catch(() => ({})))
  explainWith({ ...functions, afterEach: vitest.afterEach }, ask)
  if (process.env['DEV_NODE_AFFECTED_RUN'] === undefined) return
  const { beginFile } = await import('../affected/parts.ts')
  const recorder = await beginFile(ask, process.env)
  // Each release of Vitest passes the file to its hook differently.
  let file: VitestFile | undefined
  vitest.afterEach(async ({ task }) => void (file = task.file))
  vitest.afterAll(async () => {
    if (file === undefined) return
    const states = statesIn(file)
    if (states.includes('fail')) recorder?.failed()
    if (states.some((state) => state !== 'pass' && state !== 'fail')) recorder?.skipped()
    await recorder?.end(file.filepath)
  })
}

/** States of all tests of a file; undefined for tests that do not run. */
const statesIn = ({ tasks }: VitestSuite): readonly (string | undefined)[] =>
  tasks.flatMap((task) => ('tasks' in task ? statesIn(task) : [task.result?.state]))

/** The global function that a setup file calls once hooks can be registered. */
export const EXPLAIN = '__devNodeExplain'

/** Lets the next setup file explain failed tests. */
export const explainNext = (hooks: VitestHooks, ask: Ask): void =>
  void Reflect.set(globalThis, EXPLAIN, () => explainWith(hooks, ask))

function explainWith({ afterEach, getCurrentSuite, ...functions }: VitestHooks, ask: Ask): void {
  afterEach(async ({ task }) => {
    await tellOfTests(ask)
    const { retryCount = 0 } = task.result ?? {}
    const { count = 0 } = typeof task.retry === 'object' ? task.retry : { count: task.retry }
    if (retryCount >= count) await explain(task, titleOf(task), ask)
  })
  // If hooks before all tests of a suite fail, no test of it runs: a hook behind them explains their errors.
  getCurrentSuite?.().on('beforeAll', (file) => {
    const { getHooks, getSuiteHooks = getHooks } = functions
    for (const suite of suitesIn(file))
      getSuiteHooks?.(suite).afterAll.push(() =>
        explain(suite, beforeAllTitle(suite === file ? '' : titleOf(suite)), ask),
      )
  })
}

/** Explains the errors of a test or a suite that has failed. */
async function explain({ file, result }: VitestTest, title: string, ask: Ask): Promise<void> {
  const { state, startTime: startedAt = 0, errors = [] } = result ?? {}
  if (state !== 'fail') return
  for (const error of errors) await explainFailedTest({ title, file: file?.filepath, startedAt, error }, ask)
}

const suitesIn = (suite: VitestSuite): readonly VitestSuite[] => [
  suite,
  ...suite.tasks.flatMap((task) => ('tasks' in task ? suitesIn(task) : [])),
]

/** The test's name after those of its suites. The outermost suite is the file, which has no name. */
const titleOf = ({ name, suite }: VitestTest): string =>
  suite === undefined || suite.name === '' ? name : `${titleOf(suite)} ${name}`
