/** The least gas with which an execution succeeds. */

import { NodeError } from '../base/errors.ts'
import type { Outcome } from '../evm/outcome.ts'

/**
 * Searches between what the execution used and the most it may have.
 * Answers the failed outcome when not even the most suffices.
 */
export function leastGas(most: bigint, run: (gas: bigint) => Outcome): bigint | Outcome {
  const first = run(most)
  if (first.status !== 'success') return first
  // Mostly what was used is enough. It is not where a callee needs more at hand than it uses (EIP-150, stipends).
  let least = first.gasNeeded
  if (least >= most || succeeds(least, run)) return least
  let enough = most
  // A call that only needs a margin is found in few steps: double the margin until it is enough.
  for (let margin = first.gasNeeded / 64n + 2300n; least + margin < enough; margin *= 2n) {
    if (succeeds(least + margin, run)) enough = least + margin
    else least += margin
  }
  while (enough - least > 1n) {
    const middle = (least + enough) / 2n
    if (succeeds(middle, run)) enough = middle
    else least = middle
  }
  return enough
}

function succeeds(gas: bigint, run: (gas: bigint) => Outcome): boolean {
  try {
    return run(gas).status === 'success'
  } catch (error) {
    // Less than the data costs: the execution does not even begin.
    if (error instanceof NodeError && error.kind === 'intrinsicGasTooLow') return false
    throw error
  }
}
