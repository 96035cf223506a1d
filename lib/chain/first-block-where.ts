/** Finds by bisection the first block after which a condition on the state holds. */

import type { StateRoot } from '../state/state-root.ts'
import { stateDropped } from './chain-entry.ts'
import type { ChainEntry } from './chain-entry.ts'
import type { Chain } from './chain.ts'

/**
 * The first block after which the condition holds; absent if it does not hold at the head. Once the condition is true, it
 * must stay true in later blocks. The result is never a reserved block, because those change no state.
 * @throws NodeError 'stateDropped' if that is before the states that are kept
 */
export function firstBlockWhere(chain: Chain, holds: (state: StateRoot) => boolean): ChainEntry | undefined {
  const holdsAt = (number: bigint): boolean => {
    const entry = chain.stateEntryAt(number)
    const state = entry?.keptState
    return state !== undefined && holds(state)
  }
  let last = chain.height
  if (!holdsAt(last)) return undefined
  let first = 0n
  while (first < last) {
    const middle = (first + last) / 2n
    if (holdsAt(middle)) last = middle
    else first = middle + 1n
  }
  // If the state before was dropped, the condition may have been true earlier.
  const before = last > 0n ? chain.stateEntryAt(last - 1n) : undefined
  if (before !== undefined && before.keptState === undefined) throw stateDropped(before.number)
  return chain.stateEntryAt(last)
}
