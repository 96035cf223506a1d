/** What a method gets besides its params and the parts of the node. */

import type * as z from 'zod'
import type { Address, Hash } from '../base/hex.ts'
import type { Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { Subscriber } from '../chain/filters/subscriptions.ts'
import type { Dialect } from '../config/dialect.ts'
import type { FailedRun } from '../config/request-log.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { FailureExplainer } from '../insight/explain/failure-explainer.ts'
import type { ExplainedFailure } from '../insight/explain/solidity-stack.ts'
import type { keptRequest } from '../schema/report-results.ts'

/** Members of the request and its connection that a method may use. */
export interface RequestContext {
  readonly dialect: Dialect
  /** Modules (namespaces of methods) that the node serves. */
  readonly modules: readonly string[]
  /** Logs the transaction that the request sent, and the newest block number. */
  readonly logTransaction: (receipt: Receipt, blockNumber: bigint) => void
  /** Logs a simulated execution. A request that runs several logs the one whose result it returns. */
  readonly logSimulation: (run: SimulatedExecution) => void
  /** Explains the failures of logged executions and of the blocks that the request mined. Never rejects. */
  readonly explainedFailures: () => Promise<FailureOf>
  /** The newest requests of all chains. */
  readonly requestHistory: KeptRequests
  /** The connection that gets notifications; absent if the transport cannot push. */
  readonly subscriber?: Subscriber | undefined
  /** Whether the client is in another process. */
  readonly isRemote?: boolean | undefined
}

interface KeptRequests {
  /** Requests with a number above `after`, and the newest number. */
  readonly since: (after: number) => {
    readonly requests: readonly z.output<typeof keptRequest>[]
    readonly last: number
  }
}

export interface LoggedExecution {
  readonly kind: FailedRun['kind']
  /** Hash of the transaction; absent for a simulated execution. */
  readonly hash?: Hash
  /** Absent for a contract creation. */
  readonly to: Address | undefined
  readonly outcome: Outcome
}

/** An execution with a function that explains its failure; undefined if no contract is known. */
export interface ExplainedExecution extends LoggedExecution {
  readonly explain: () => Promise<ExplainedFailure | undefined>
  /** The same without pauses; absent if pauses may be needed. */
  readonly explainNow?: (() => ExplainedFailure | undefined) | undefined
}

/** An execution whose state changes are discarded. */
export interface SimulatedExecution extends ExplainedExecution {
  readonly kind: 'call' | 'estimate'
  /** Repeats the execution; absent for the calls of a simulation. */
  readonly prepare?: Parameters<FailureExplainer['call']>[1]
}

/** A request's execution that can be repeated. */
export type RequestExecution =
  | (SimulatedExecution & Required<Pick<SimulatedExecution, 'prepare'>>)
  | { readonly kind: 'transaction'; readonly entry: ChainEntry; readonly receipt: Receipt }

/** A request that has ended, but whose response has not been sent. */
export interface EndedRequest {
  readonly method: string
  /** Id of the world; undefined for the default chain. */
  readonly world?: string | undefined
  readonly executions: readonly RequestExecution[]
}

/** Holds responses back, as a debugger does at breakpoints. */
export interface ResponseHolder {
  readonly isActive: boolean
  hold(request: EndedRequest): Promise<void>
}

/** How an execution failed; undefined if there is no explanation. */
export type FailureOf = (outcome: Outcome) => ExplainedFailure | undefined
