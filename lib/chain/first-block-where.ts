/** Finds by bisection the block in which a condition of the state began to hold. */

import type { ChainEntry } from './chain-entry.ts'
import type { Chain } from './chain.ts'
import type { StateRoot } from '../state/state-root.ts'

/**
 * The first block of the chain after which a condition holds that holds after every later one; absent if not at the head.
 * It is never a block of a leap, because those change no state.
 */
export function firstBlockWhere(chain: Chain, holds: (state: StateRoot) => boolean): ChainEntry | undefined {
  const holdsAt = (number: bigint): boolean => {
    const entry = chain.stateEntryAt(number)
    return entry !== undefined && holds(entry.state)
  }
  let last = chain.height
  if (!holdsAt(last)) return undefined
  let first = 0n
  while (first < last) {
    const middle = (first + last) / 2n
    if (holdsAt(middle)) last = middle
    else first = middle + 1n
  }
  return chain.stateEntryAt(last)
}
