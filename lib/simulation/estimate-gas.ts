/** Estimates gas: finds the minimum with which an execution succeeds. */

import { NodeError } from '../base/errors.ts'
import type { Outcome } from '../evm/outcome.ts'

/** What a search came to. */
export interface Estimate {
  /** Absent when not even the most suffices. */
  readonly gas: bigint | undefined
  /** Of the run with this gas, or of the one that failed with the most. */
  readonly outcome: Outcome
}

/** Searches between what the execution used and the most it may have. */
export function estimateGas(most: bigint, run: (gas: bigint) => Outcome): Estimate {
  const first = run(most)
  if (first.status !== 'success') return { gas: undefined, outcome: first }
  let outcome = first
  const suffices = (gas: bigint): boolean => {
    const tried = attempt(gas, run)
    if (tried?.status !== 'success') return false
    outcome = tried
    return true
  }
  // Mostly what was used is enough. It is not where a callee needs more at hand than it uses (EIP-150, stipends).
  let least = first.gasNeeded
  if (least >= most || suffices(least)) return { gas: least, outcome }
  let enough = most
  // A call that only needs a margin is found in few steps: double the margin until it is enough.
  for (let margin = first.gasNeeded / 64n + 2300n; least + margin < enough; margin *= 2n) {
    if (suffices(least + margin)) enough = least + margin
    else least += margin
  }
  while (enough - least > 1n) {
    const middle = (least + enough) / 2n
    if (suffices(middle)) enough = middle
    else least = middle
  }
  return { gas: enough, outcome }
}

function attempt(gas: bigint, run: (gas: bigint) => Outcome): Outcome | undefined {
  try {
    return run(gas)
  } catch (error) {
    // Less than the data costs: the execution does not even begin.
    if (error instanceof NodeError && error.kind === 'intrinsicGasTooLow') return undefined
    throw error
  }
}
