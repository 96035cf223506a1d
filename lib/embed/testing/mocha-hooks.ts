/** Root hooks of Mocha that explain failed tests and hooks. */

import { realHost } from '../../base/host.ts'
import type { MochaFiles, MochaSuite } from '../affected/mocha-files.ts'
import type { Ask } from '../ask.ts'
import { explainFailedTest, tellOfTests } from './failed-tests.ts'

/** The members of a Mocha test or hook that are read here. */
interface Runnable {
  readonly type: string
  readonly title: string
  readonly file?: string
  readonly ctx?: { readonly currentTest?: { readonly file?: string } }
  readonly fullTitle: () => string
  readonly currentRetry: () => number
  /** How often it may run again after a failure. Hooks never do, whatever this returns. */
  readonly retries: () => number
}

/** Runs a test or hook. `done` gets the error if it failed. */
type Run = (this: Runnable, done: (error?: unknown) => void) => void

interface MochaContext {
  /** The running hook, in the root suite. Mocha's class of hooks extends that of tests and hooks. */
  readonly test: { readonly parent: MochaSuite }
  readonly timeout: (ms: number) => void
}

const isRunnable = (value: unknown): value is { run: Run } =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'run')

/** The root hooks that belong to dev-node. */
const ownHooks = new WeakSet<object>()

/** Hardhat 3's hook that makes its workers wait for unhandled rejections. It only waits. */
const WAITING = /^async afterAll\(\) \{\s*await new Promise\(\(r\) => setTimeout\(r, \w+\)\);?\s*\}$/

/** Marks a hook as dev-node's. It says nothing about test files, and may take longer than Mocha's two seconds. */
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

/** The hooks; `ask` sends a request to the tests' node. For each test, Mocha spends more time on a hook than this file on its work. */
export function failureHooks(ask: Ask) {
  let files: MochaFiles | undefined
  /** What runs after this time belongs to the next test. */
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
      // A parallel worker calls this for each file.
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

/** Records test files for runs that leave out some. */
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
