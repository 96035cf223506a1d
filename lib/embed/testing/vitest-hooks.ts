/** Hooks of Vitest that explain failed tests. */

import { explainFailedTest, tellOfTests } from './failed-tests.ts'

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

interface VitestSuite {
  readonly tasks: readonly (VitestTest | (VitestTest & VitestSuite))[]
}

/** Registers a hook for the tests of the file that Vitest is collecting. */
export type AfterEach = (hook: (context: { readonly task: VitestTest }) => Promise<void>) => void

type Ask = Parameters<typeof explainFailedTest>[1]

interface Vitest {
  readonly afterEach: AfterEach
  readonly afterAll: (hook: () => Promise<void>) => void
}

const isVitest = (loaded: object): loaded is Vitest => typeof Reflect.get(loaded, 'afterEach') === 'function'

/** Explains failed tests of a worker's files, and records the files. `ask` sends a request to their node. */
export async function explainVitest(ask: Ask): Promise<void> {
  // A variable, so that the name is not resolved here: the project has Vitest.
  const name = 'vitest'
  const vitest: unknown = await import(name)
  if (typeof vitest !== 'object' || vitest === null || !isVitest(vitest)) return
  explainWith(vitest.afterEach, ask)
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

/** Makes the next setup file explain failed tests. */
export const explainNext = (afterEach: AfterEach, ask: Ask): void =>
  void Reflect.set(globalThis, EXPLAIN, () => explainWith(afterEach, ask))

const explainWith = (afterEach: AfterEach, ask: Ask): void =>
  afterEach(async ({ task }) => {
    await tellOfTests(ask)
    const { state, startTime = 0, retryCount = 0, errors = [] } = task.result ?? {}
    const { count = 0 } = typeof task.retry === 'object' ? task.retry : { count: task.retry }
    if (state !== 'fail' || retryCount < count) return
    const described = {
      title: titleOf(task),
      file: task.file?.filepath,
      startedAt: startTime,
    }
    for (const error of errors) await explainFailedTest({ ...described, error }, ask)
  })

/** The test's name after those of its suites. The outermost suite is the file, which has no name. */
const titleOf = ({ name, suite }: VitestTest): string =>
  suite === undefined || suite.name === '' ? name : `${titleOf(suite)} ${name}`
