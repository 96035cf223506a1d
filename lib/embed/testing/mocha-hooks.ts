/** Root hooks of Mocha that explain failed tests and hooks. */

import { realHost } from '../../base/host.ts'
import { explainFailedTest, tellOfTests } from './failed-tests.ts'

/** A test or a hook of Mocha with the members that are read. */
interface Runnable {
  readonly state?: string
  readonly err?: unknown
  readonly file?: string
  readonly fullTitle: () => string
}

interface MochaHook extends Runnable {
  readonly constructor: { readonly prototype: object }
}

export interface MochaContext {
  readonly currentTest?: Runnable | undefined
  /** The hook that runs. */
  readonly test: MochaHook
}

/** Runs a test or a hook. `done` gets the error by which it failed. */
type Run = (this: Runnable, done: (error?: unknown) => void) => void

const isRun = (value: unknown): value is Run => typeof value === 'function'

/** The hooks; `ask` sends a request to the node of the tests. */
export function failureHooks(ask: Parameters<typeof explainFailedTest>[1]) {
  /** What runs from this time on belongs to the next test or hook. */
  let startedAt = 0
  const explain = (failed: Runnable, error: unknown): Promise<void> =>
    explainFailedTest({ title: failed.fullTitle(), file: failed.file, startedAt, error }, ask)
  return {
    beforeAll(this: MochaContext): void {
      startedAt = realHost.now()
      explainHooks(this.test, explain)
    },
    beforeEach(): void {
      startedAt = realHost.now()
    },
    async afterEach(this: MochaContext): Promise<void> {
      const { currentTest: test } = this
      if (test?.state === 'failed') await explain(test, test.err)
      startedAt = realHost.now()
      await tellOfTests(ask)
    },
  }
}

/** Lets the hooks explain why they fail: Mocha calls no other hook then that could. */
function explainHooks(
  { constructor: { prototype } }: MochaHook,
  explain: (failed: Runnable, error: unknown) => Promise<void>,
): void {
  const run: unknown = Reflect.get(prototype, 'run')
  // A worker of a parallel run calls this for each file.
  if (!isRun(run) || Object.hasOwn(prototype, 'run')) return
  const explained: Run = function (done) {
    run.call(this, (error) => {
      if (error === undefined || error === null) return done()
      void explain(this, error).then(() => done(error))
    })
  }
  Reflect.set(prototype, 'run', explained)
}

/** Root hooks of the user and others. Mocha takes a function or a list of each kind. */
export function withHooks(ofUser: object = {}, others: object): object {
  const added = Object.entries(others).map(([kind, hook]) => {
    const own: unknown = Reflect.get(ofUser, kind)
    return [kind, [own ?? [], hook].flat()] as const
  })
  return { ...ofUser, ...Object.fromEntries(added) }
}
