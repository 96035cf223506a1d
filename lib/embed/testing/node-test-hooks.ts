/** Hooks of node:test that explain failed tests. */

import { realHost } from '../../base/host.ts'
import { explainFailedTest, tellOfTests } from './failed-tests.ts'

/** A test's context, with members that are newer than the types of Node 20. */
interface TestContext {
  readonly name?: string
  readonly fullName?: string
  readonly filePath?: string
  readonly error?: unknown
}

/** When the last test ended: what ran since then belongs to the next one. */
let startedAt = 0

/**
 * Explains failed tests that are declared later, because node:test has no hooks for all files of a process. Repeated calls explain
 * no test twice. `ask` sends a request to the tests' node.
 */
export async function explainNodeTests(ask: Parameters<typeof explainFailedTest>[1]): Promise<void> {
  const { afterEach } = await import('node:test')
  afterEach(async (context: TestContext) => {
    const { name = '', fullName = name, filePath: file, error } = context
    // The runner's error says which test failed, its cause says why.
    const isWrapped = error instanceof Error && Reflect.get(error, 'code') === 'ERR_TEST_FAILURE'
    const thrown = isWrapped ? error.cause : error
    if (thrown !== undefined && thrown !== null)
      await explainFailedTest({ title: fullName, file, startedAt, error: thrown }, ask)
    startedAt = realHost.now()
    await tellOfTests(ask)
  })
}
