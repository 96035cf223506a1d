/** Root hooks of Mocha that explain failed tests and hooks. */

import { realHost } from '../../base/host.ts'
import type { MochaFiles, MochaSuite } from '../affected/mocha-files.ts'
import type { Ask } from '../ask.ts'
import { explainFailedTest, tellOfTests } from './failed-tests.ts'

/** A test or a hook of Mocha with the members that are read. */
interface Runnable {
  readonly type: string
  readonly title: string
  readonly file?: string
  readonly ctx?: { readonly currentTest?: { readonly file?: string } }
  readonly fullTitle: () => string
  readonly currentRetry: () => number
  /** How often it runs again after a failure. Hooks never do, whatever they say. */
  readonly retries: () => number
}

/** Runs a test or a hook. `done` gets the error by which it failed. */
type Run = (this: Runnable, done: (error?: unknown) => void) => void

interface MochaContext {
  /** The hook that runs, in the outermost suite. Its class is a class of Mocha, which extends that of tests and hooks. */
  readonly test: { readonly parent: MochaSuite }
  readonly timeout: (ms: number) => void
}

const isRunnable = (value: unknown): value is { run: Run } =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'run')

/** Hooks of dev-node among those that run for all tests. */
const ownHooks = new WeakSet<object>()

/** The hook of Hardhat 3 that lets its workers wait for unhandled rejections. It only waits. */
const WAITING = /^async afterAll\(\) \{\s*await new Promise\(\(r\) => setTimeout\(r, \w+\)\);?\s*\}$/

/** A hook of dev-node: it says nothing about the files of tests, and takes its time where Mocha would allow two seconds. */
export function ownHook(hook: (this: MochaContext) => Promise<void>) {
  const own = function (this: MochaContext): Promise<void> {
    this.timeout(0)
    return hook.call(this)
  }
  ownHooks.add(own)
  return own
}

const isOwn = (hook: object): boolean =>
  ownHooks.has(hook) || (typeof hook === 'function' && WAITING.test(hook.toString()))

/** The hooks; `ask` sends a request to the node of the tests. Mocha spends more on a hook for each test than this file on its work. */
export function failureHooks(ask: Ask) {
  let files: MochaFiles | undefined
  /** What runs from this time on belongs to the next test. */
  let startedAt = 0
  let isWatching = false
  const end = async (runnable: Runnable, error: unknown): Promise<void> => {
    const { type, title, file } = runnable
    const isRepeated = type === 'test' && runnable.currentRetry() < runnable.retries()
    if (error !== undefined && !isRepeated)
      await explainFailedTest({ title: runnable.fullTitle(), file, startedAt, error }, ask)
    if (!isRepeated) files?.ended(runnable, error)
    if (type === 'test' || title.startsWith('"before all"')) startedAt = realHost.now()
    await tellOfTests(ask)
  }
  return {
    beforeAll: ownHook(async function () {
      startedAt = realHost.now()
      files = await loadFiles(ask)
      await files?.begin(this.test.parent, isOwn)
      const runnable: unknown = Reflect.getPrototypeOf(Reflect.getPrototypeOf(this.test) ?? {})
      // A worker of a parallel run calls this for each file.
      if (isWatching || !isRunnable(runnable)) return
      isWatching = true
      const { run } = runnable
      runnable.run = function (done) {
        const start = () => run.call(this, (error) => void end(this, error).then(() => done(error)))
        if (files?.isFirst(this) === true)
          void files.beginFile(this).then(start, (error: unknown) => done(error))
        else start()
      }
    }),
    afterAll: ownHook(async () => files?.end()),
  }
}

/** What notes the files of a run that leaves out some. */
async function loadFiles(ask: Ask): Promise<MochaFiles | undefined> {
  if (process.env['DEV_NODE_AFFECTED_RUN'] === undefined) return undefined
  const { mochaFiles } = await import('../affected/parts.ts')
  return mochaFiles(ask, process.env)
}

export function withHooks(ofUser: object = {}, others: object): object {
  const added = Object.entries(others).map(([kind, hook]) => {
    const own: unknown = Reflect.get(ofUser, kind)
    return [kind, [own ?? [], hook].flat()] as const
  })
  return { ...ofUser, ...Object.fromEntries(added) }
}
