/** Jest's `globalSetup: 'dev-node/jest/setup'`. */

import { startNode } from './jest-run.ts'

/** Jest hands the configuration of the run first, and of the project second. */
export default (_run: unknown, project: Parameters<typeof startNode>[0]): Promise<void> => startNode(project)
