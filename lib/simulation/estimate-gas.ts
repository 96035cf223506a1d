/** Estimates gas: finds the minimum with which an execution succeeds. */

import { NodeError } from '../base/errors.ts'
import type { Routine } from '../base/routine.ts'
import type { Outcome } from '../evm/outcome.ts'

/** What a search came to. */
export interface Estimate {
  /** Absent when not even the most suffices. */
  readonly gas: bigint | undefined
  /** Of the run with this gas, or of the one that failed with the most. */
  readonly outcome: Outcome
}

/** Executes with so much gas. */
type Run = (gas: bigint) => Routine<Outcome>

/** Searches between what the execution used and the most it may have. */
export function* estimateGas(most: bigint, run: Run): Routine<Estimate> {
  const first = yield* run(most)
  if (first.status !== 'success') return { gas: undefined, outcome: first }
  let outcome = first
  const suffices = function* (gas: bigint): Routine<boolean> {
    const tried = yield* attempt(gas, run)
    if (tried?.status !== 'success') return false
    outcome = tried
    return true
  }
  // Mostly what was used is enough. It is not where a callee needs more at hand than it uses (EIP-150, stipends).
  let least = first.gasNeeded
  if (least >= most || (yield* suffices(least))) return { gas: least, outcome }
  let enough = most
  // A call that only needs a margin is found in few steps: double the margin until it is enough.
  for (let margin = first.gasNeeded / 64n + 2300n; least + margin < enough; margin *= 2n) {
    if (yield* suffices(least + margin)) enough = least + margin
    else least += margin
  }
  while (enough - least > 1n) {
    const middle = (least + enough) / 2n
    if (yield* suffices(middle)) enough = middle
    else least = middle
  }
  return { gas: enough, outcome }
}

function* attempt(gas: bigint, run: Run): Routine<Outcome | undefined> {
  try {
    return yield* run(gas)
  } catch (error) {
    // Less than the data costs: the execution does not even begin.
    if (error instanceof NodeError && error.kind === 'intrinsicGasTooLow') return undefined
    throw error
  }
}
