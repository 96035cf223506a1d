/** Finds by bisection where something began that has held ever since. */

import type { Chain, ChainEntry } from './chain.ts'

/** The first block of the chain at which a condition holds that holds at every later one; absent if not at the head. */
export function firstBlockWhere(chain: Chain, holds: (entry: ChainEntry) => boolean): ChainEntry | undefined {
  const holdsAt = (number: bigint): boolean => {
    const entry = chain.at(number)
    return entry !== undefined && holds(entry)
  }
  let last = chain.height
  if (!holdsAt(last)) return undefined
  let first = 0n
  while (first < last) {
    const middle = (first + last) / 2n
    if (holdsAt(middle)) last = middle
    else first = middle + 1n
  }
  return chain.at(last)
}
