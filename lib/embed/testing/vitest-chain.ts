/** Vitest's `setupFiles: 'dev-node/vitest/chain'`: every worker has its own chain, a world of the node of the run, as the global `chain`. */

import { beginChain } from './test-chain.ts'

await beginChain(globalThis)
