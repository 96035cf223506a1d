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
