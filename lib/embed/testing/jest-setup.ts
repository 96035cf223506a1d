/** Jest's `globalSetup: 'dev-node/jest/setup'`. */

import type { startNode } from './test-run.ts'

/**
 * Jest passes the configuration of the run first, and of the project second. The node is imported only here: Jest 29
 * loads this module with `require`, which cannot load the node because of its top-level await.
 */
export default async (_run: unknown, project: Parameters<typeof startNode>[0]): Promise<void> => {
  const run = await import('./test-run.ts')
  await run.startNode(project)
}
