/** Jest's `globalSetup: 'dev-node/jest/setup'`. */

import type { startNode } from './jest-run.ts'

/**
 * Jest hands the configuration of the run first, and of the project second. The node is loaded when it is called: Jest 29
 * requires this module, and what the node is made of waits for its cryptography as it is loaded, so it cannot be required.
 */
export default async (_run: unknown, project: Parameters<typeof startNode>[0]): Promise<void> => {
  const run = await import('./jest-run.ts')
  await run.startNode(project)
}
