/** Estimates gas: finds the minimum with which an execution succeeds. */

import { NodeError } from '../../base/errors.ts'
import type { Routine } from '../../base/routine.ts'
import type { Outcome } from '../../evm/outcome.ts'

/** The result of an estimate. */
export interface Estimate {
  /** Absent if the execution fails even with the maximum. */
  readonly gas: bigint | undefined
  /** The outcome with this gas, or the failed outcome with the maximum. */
  readonly outcome: Outcome
}

/** Executes with a gas limit. */
type Run = (gas: bigint) => Routine<Outcome>

/** Searches between the gas that the execution used, without refunds, and `maxGas`. */
export function* estimateGas(maxGas: bigint, run: Run): Routine<Estimate> {
  const first = yield* run(maxGas)
  if (first.status !== 'success') return { gas: undefined, outcome: first }
  let outcome = first
  const suffices = function* (gas: bigint): Routine<boolean> {
    const tried = yield* attempt(gas, run)
    if (tried?.status !== 'success') return false
    outcome = tried
    return true
  }
  // The gas used is usually enough, unless an inner call needs more gas than it uses (EIP-150, stipends).
  let tooLow = first.gasNeeded
  if (tooLow >= maxGas || first.isGasIndependent || (yield* suffices(tooLow))) return { gas: tooLow, outcome }
  let enough = maxGas
  // Most of the other calls need only a small margin: it is doubled until it is enough.
  for (let margin = first.gasNeeded / 64n + 2300n; tooLow + margin < enough; margin *= 2n) {
    if (yield* suffices(tooLow + margin)) enough = tooLow + margin
    else tooLow += margin
  }
  while (enough - tooLow > 1n) {
    const middle = (tooLow + enough) / 2n
    if (yield* suffices(middle)) enough = middle
    else tooLow = middle
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
