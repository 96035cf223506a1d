/** Searches of the chain: the first block after which a condition on the state holds, and loads of remote blocks in ranges. */

import type { StateRoot } from '../state/state-root.ts'
import type { Address } from '../base/hex.ts'
import { NodeError } from '../base/errors.ts'
import { bisect } from '../base/bisect.ts'
import { together, waitFor, type Routine } from '../base/routine.ts'
import { stateDropped, type ChainEntry } from './chain-entry.ts'
import type { Chain } from './chain.ts'
import type { MinedReceipt } from './chain-index.ts'

/**
 * The first block after which the condition holds; absent if it does not hold at the head. Once the condition is true, it
 * must stay true in later blocks. The result is never a reserved block, because those change no state.
 * @throws NodeError 'stateDropped' if that is before the states that are kept
 */
export function firstBlockWhere(chain: Chain, holds: (state: StateRoot) => boolean): ChainEntry | undefined {
  const isBefore = (number: number): boolean => {
    const state = chain.stateEntryAt(BigInt(number))?.keptState
    return state === undefined || !holds(state)
  }
  const height = Number(chain.height)
  if (isBefore(height)) return undefined
  const first = bisect(height, isBefore)
  // If the state before was dropped, the condition may have been true earlier.
  const before = first === 0 ? undefined : chain.stateEntryAt(BigInt(first - 1))
  if (before !== undefined && before.keptState === undefined) throw stateDropped(before.number)
  return chain.stateEntryAt(BigInt(first))
}

/**
 * The transaction and its block; absent if no such transaction is mined. The bisection relies on increasing nonces: a
 * transaction is not found after a direct edit that lowered its sender's nonce.
 */
export function transactionBySenderAndNonce(
  chain: Chain,
  sender: Address,
  nonce: bigint,
): MinedReceipt | undefined {
  const entry = firstBlockWhere(chain, (state) => state.nonce(sender) > nonce)
  const receipt = entry?.block.receipts.find(
    ({ transaction }) => transaction.sender === sender && transaction.nonce === nonce,
  )
  return entry === undefined || receipt === undefined ? undefined : { entry, receipt }
}

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
  yield* waitFor(together(reads))
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

/** The blocks with transactions from a number on, newest first, without those of the remote. Reserved blocks have none. */
export function ownBlocks({ head }: Pick<Chain, 'head'>, from: bigint): ChainEntry[] {
  const entries: ChainEntry[] = []
  for (let entry: ChainEntry | undefined = head; entry !== undefined; entry = entry.parent) {
    const { header, receipts, remote } = entry.block
    if (remote !== undefined || header.number < from) break
    if (receipts.length > 0) entries.push(entry)
  }
  return entries
}
