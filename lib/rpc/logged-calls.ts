/** Logs the calls of a simulation, whose failures are explained together: each call depends on the calls before it. */

import type { Address } from '../base/hex.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { ObservedCalls } from '../explain/explainer.ts'
import type { FailureExplainer } from '../explain/failure-explainer.ts'
import type { RequestContext } from './method.ts'

/** A call that ran. */
interface LoggedCall {
  readonly outcome: Outcome
  /** Absent for a contract creation. */
  readonly to: Address | undefined
}

/** Logs calls by their positions. `simulate` runs the simulation again if a failure is to be explained. */
export function logCalls(
  { logSimulation }: Pick<RequestContext, 'logSimulation'>,
  { failureExplainer }: { readonly failureExplainer: FailureExplainer },
  calls: ReadonlyMap<number, LoggedCall>,
  simulate: ObservedCalls,
): void {
  const outcomes = new Map([...calls].map(([position, { outcome }]) => [position, outcome]))
  let failures: ReturnType<FailureExplainer['calls']> | undefined
  for (const [position, { outcome, to }] of calls) {
    const explain = async () => {
      failures ??= failureExplainer.calls(outcomes, simulate)
      return (await failures).get(position)
    }
    logSimulation({ kind: 'call', to, outcome, explain })
  }
}
