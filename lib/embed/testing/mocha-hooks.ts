/** Root hooks of Mocha that explain failed tests. */

import { realHost } from '../../base/host.ts'
import { explainFailedTest } from './failed-tests.ts'

/** A test of Mocha with the members that are read. */
interface MochaTest {
  readonly state?: string
  readonly err?: unknown
  readonly file?: string
  readonly currentRetry: () => number
  readonly fullTitle: () => string
}

export interface MochaContext {
  readonly currentTest?: MochaTest | undefined
}

/** The hooks; `ask` sends a request to the node of the tests. */
export function failureHooks(ask: Parameters<typeof explainFailedTest>[1]) {
  let startedAt = 0
  return {
    beforeEach(): void {
      startedAt = realHost.now()
    },
    async afterEach(this: MochaContext): Promise<void> {
      const { currentTest: test } = this
      if (test?.state !== 'failed') return
      const described = { title: test.fullTitle(), file: test.file, retry: test.currentRetry() }
      await explainFailedTest({ ...described, startedAt, error: test.err }, ask)
    },
  }
}

/** Root hooks of the user and others. Mocha takes a function or a list of each kind. */
export function withHooks(ofUser: object = {}, others: object): object {
  const added = Object.entries(others).map(([kind, hook]) => {
    const own: unknown = Reflect.get(ofUser, kind)
    return [kind, [own ?? [], hook].flat()] as const
  })
  return { ...ofUser, ...Object.fromEntries(added) }
}
