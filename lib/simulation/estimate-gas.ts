/** Estimates gas: finds the minimum with which an execution succeeds. */

import { NodeError } from '../base/errors.ts'
import type { Routine } from '../base/routine.ts'
import type { Outcome } from '../evm/outcome.ts'

/** The result of an estimate. */
export interface Estimate {
  /** Absent if the execution fails with the maximum, too. */
  readonly gas: bigint | undefined
  /** The outcome with this gas, or the failed outcome with the maximum. */
  readonly outcome: Outcome
}

/** Executes with a gas limit. */
type Run = (gas: bigint) => Routine<Outcome>

/** Searches between the gas that the execution used, without refunds, and the maximum `most`. */
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
  // The gas used is mostly enough. It is not if an inner call needs more gas than it uses (EIP-150, stipends).
  let least = first.gasNeeded
  if (least >= most || first.isGasIndependent || (yield* suffices(least))) return { gas: least, outcome }
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
    // The gas is less than the intrinsic gas, so the execution does not begin.
    if (error instanceof NodeError && error.kind === 'intrinsicGasTooLow') return undefined
    throw error
  }
}
