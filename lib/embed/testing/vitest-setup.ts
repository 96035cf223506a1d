/** Vitest's `globalSetup: 'dev-node/vitest'`: a node for the run. Its workers get their chains from vitest-chain.ts. */

import type { RunSettings } from './run-nodes.ts'

/** The members of Vitest's project that this file reads. */
interface VitestProject {
  readonly config: { readonly root: string; readonly environmentOptions?: RunSettings }
}

/** Starts the node and returns the function that closes it. */
export async function setup({ config }: VitestProject): Promise<() => Promise<void>> {
  // Vitest loads this module for each project, and that one once.
  const { startNode, closeNode } = await import('./test-run.ts')
  await startNode({ rootDir: config.root, testEnvironmentOptions: config.environmentOptions ?? {} })
  return closeNode
}
