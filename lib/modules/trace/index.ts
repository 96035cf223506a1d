/**
 * Traces of transactions, blocks and calls in the forms of geth and Parity, and what is found by tracing: histories of accounts, and
 * witnesses of blocks.
 *
 * @example await node.request({ method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] })
 */

import { lazyPart } from '../../base/lazy-part.ts'
import { AccountHistory } from './account-history.ts'
import { traceRun } from './parity-trace.ts'
import { Tracing } from './tracing.ts'
import type { NodeCore } from '../../kernel/module.ts'
import type { NodeModule } from '../../node/node.ts'
import { addressTransactionMethods } from './methods/address-transactions.ts'
import { debugTraceMethods } from './methods/debug.ts'
import { otsMethods } from './methods/ots.ts'
import { callTraceMethods } from './methods/trace-calls.ts'
import { flatTraceMethods } from './methods/trace.ts'
import type { TracingPart } from './scope.ts'

const loadWitnesses = lazyPart('witnesses', () => import('./witness.ts'))

export const trace = {
  name: 'traces',
  start: () => ({}),
  openChain: ({ options, host }, { chain, network, replayer }) => {
    const tracing = new Tracing(replayer, network, { now: host.elapsed, timeoutMs: options.callTimeout })
    const { precompileAccounts } = network.kind.consensus
    return {
      tracing,
      traceRun,
      accountHistory: new AccountHistory(chain, tracing, replayer.engine.minGas),
      witnessOf: async (entry) => {
        const { executionWitness } = await loadWitnesses()
        return executionWitness(entry, { replayer, network, precompileAccounts })
      },
    }
  },
  methods: [
    ...debugTraceMethods,
    ...flatTraceMethods,
    ...callTraceMethods,
    ...otsMethods,
    ...addressTransactionMethods,
  ].flat(),
} as const satisfies NodeModule<NodeCore, object, TracingPart>
