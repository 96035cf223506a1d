/**
 * Vitest's `setupFiles: 'dev-node/vitest/chain'`: every worker has its own chain, a world of the node of the run, as the global `chain`,
 * and failed tests are explained.
 */

import { explainVitest } from './vitest-hooks.ts'
import { beginChain, connect } from './test-chain.ts'

await beginChain(globalThis)
await explainVitest((method, params) => connect().rpc(method, params))
