/** Mocha's `require: 'dev-node/mocha'`: a node for the run, with its own chain for every worker as the global `chain`. */

import { failureHooks, ownHook, withHooks } from './mocha-hooks.ts'
import { beginChain, connect } from './test-chain.ts'

// Workers load this module too but need no node.
const loadRun = () => import('./test-run.ts')

export async function mochaGlobalSetup(): Promise<void> {
  const { startNode } = await loadRun()
  await startNode({ rootDir: process.cwd(), testEnvironmentOptions: {} })
}

export async function mochaGlobalTeardown(): Promise<void> {
  const { closeNode } = await loadRun()
  await closeNode()
}

/** Begins the worker's chain, before each file of a parallel run or once in other runs, and explains failed tests. */
export const mochaHooks = withHooks(
  { beforeAll: ownHook(() => beginChain(globalThis)) },
  failureHooks((method, params) => connect().rpc(method, params)),
)
