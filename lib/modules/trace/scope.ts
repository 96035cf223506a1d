/** What traces add to a chain. */

import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Node } from '../../node/node.ts'
import type { AccountHistory } from './account-history.ts'
import type { traceRun } from './parity-trace.ts'
import type { Tracing } from './tracing.ts'
import type { executionWitness } from './witness.ts'

export interface TracingPart {
  readonly tracing: Tracing
  /** Traces an execution in Parity's format. */
  readonly traceRun: typeof traceRun
  readonly accountHistory: AccountHistory
  /** What a stateless client needs to execute a block. */
  readonly witnessOf: (entry: ChainEntry) => ReturnType<typeof executionWitness>
}

export type TracedChain = TracingPart &
  Pick<Node, 'blockResolver' | 'blockSimulator' | 'bundleOn' | 'chain' | 'codec' | 'network' | 'simulator'> &
  Pick<Node, 'startCallTimer'>
