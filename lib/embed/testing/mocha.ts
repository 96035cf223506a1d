/** Mocha's `require: 'dev-node/mocha'`: a node for the run, and for every worker its own chain as the global `chain`. */

import { failureHooks, ownHook, withHooks } from './mocha-hooks.ts'
import { beginChain, connect } from './test-chain.ts'

// Workers load this module too, and need no node.
const loadRun = () => import('./test-run.ts')

/** Starts the node, whose options are in the environment. */
export async function mochaGlobalSetup(): Promise<void> {
  const { startNode } = await loadRun()
  await startNode({ rootDir: process.cwd(), testEnvironmentOptions: {} })
}

export async function mochaGlobalTeardown(): Promise<void> {
  const { closeNode } = await loadRun()
  await closeNode()
}

/** Begins the chain of a worker, before each file of a parallel run and before the first one of another run, and explains failed tests. */
export const mochaHooks = withHooks(
  { beforeAll: ownHook(() => beginChain(globalThis)) },
  failureHooks((method, params) => connect().rpc(method, params)),
)
