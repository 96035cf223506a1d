/** Hooks of node:test that explain failed tests. */

import { realHost } from '../../base/host.ts'
import { explainFailedTest } from './failed-tests.ts'

/** The context of a test with members that are newer than the types of Node 20. */
interface TestContext {
  readonly name?: string
  readonly fullName?: string
  readonly filePath?: string
  readonly error?: unknown
}

let isRegistered = false

/** Registers the hooks, once: node:test gives them to tests that are declared later. `ask` sends a request to the node of the tests. */
export async function explainNodeTests(ask: Parameters<typeof explainFailedTest>[1]): Promise<void> {
  if (isRegistered) return
  isRegistered = true
  const nodeTest = await import('node:test')
  let startedAt = 0
  nodeTest.beforeEach(() => {
    startedAt = realHost.now()
  })
  nodeTest.afterEach(async (context: TestContext) => {
    const { name = '', fullName = name, filePath: file, error } = context
    // The error of the runner says which test failed, its cause why.
    const thrown = error instanceof Error && error.cause !== undefined ? error.cause : error
    if (thrown !== undefined && thrown !== null)
      await explainFailedTest({ title: fullName, file, startedAt, error: thrown }, ask)
  })
}
