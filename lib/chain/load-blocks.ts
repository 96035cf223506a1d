/** Loads ranges of blocks, so that a method that reads many remote blocks waits once instead of once for each. */

import { NodeError } from '../base/errors.ts'
import { loadFor } from '../base/loading.ts'
import type { Routine } from '../base/routine.ts'
import type { Chain } from './chain.ts'

/** The blocks to load; both ends are included. */
export interface BlockRange {
  readonly from: bigint
  readonly to: bigint
}

/** Number of remote blocks that one search may run, because each costs several requests. */
export const MAX_SEARCHED = 100n

/** Loads the remote blocks of a range, and their receipts if they are needed. Other blocks are in memory. */
export function* loadBlocks(
  { remote }: Pick<Chain, 'remote'>,
  { from, to }: BlockRange,
  needsReceipts: boolean,
): Routine<void> {
  if (remote === undefined) return
  const reads: (() => unknown)[] = []
  for (let number = from; number <= to && number <= remote.last; number++)
    reads.push(() => {
      const receipts = remote.make(number)?.block.receipts
      return needsReceipts ? receipts?.map(({ outcome }) => outcome) : receipts
    })
  yield* loadFor(reads)
}

/** Checks that a search does not run too many remote blocks. @throws NodeError 'limitExceeded' */
export function checkSearch({ remote }: Pick<Chain, 'remote'>, { from, to }: BlockRange): void {
  if (remote === undefined || from > remote.last) return
  const last = to < remote.last ? to : remote.last
  if (last - from < MAX_SEARCHED) return
  throw new NodeError(
    'limitExceeded',
    `the search covers ${last - from + 1n} blocks of the remote, at most ${MAX_SEARCHED} are run here: name a range above block ${remote.last}, or ask the remote`,
  )
}
