/** Updates the pool after a change of the head. A revert to a snapshot restores the pool itself. */

import type { ChainEntry, HeadChange } from '../chain-entry.ts'
import type { Chain } from '../chain.ts'
import { isSystemTransaction } from '../../evm/system-transaction.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { Mempool } from './mempool.ts'

/** The pool, and the chain that it follows. */
interface FollowedChain {
  readonly mempool: Mempool
  readonly chain: Chain
  readonly network: { readonly outdatedBlocks?: bigint | undefined }
}

/** Removes transactions with used nonces and outdated ones, and returns those of removed blocks to the pool. */
export function followHead(change: HeadChange, followed: FollowedChain): void {
  const { mempool, chain } = followed
  const { state } = chain.head
  for (const sender of new Set(transactionsOf(change.added).map((transaction) => transaction.sender))) {
    mempool.removeBelowNonce(sender, state.nonce(sender))
  }
  for (const transaction of transactionsOf(change.removed.toReversed())) {
    const { sender, nonce } = transaction
    const isPassed = nonce < state.nonce(sender)
    if (!isPassed && mempool.find(sender, nonce) === undefined) mempool.add(transaction, chain.height)
  }
  dropOutdated(followed)
}

/** Removes the transactions that have waited for more blocks than the network's pool keeps them. */
export function dropOutdated({ mempool, chain, network: { outdatedBlocks } }: FollowedChain): void {
  if (outdatedBlocks !== undefined) mempool.removeOlder(chain.height - outdatedBlocks)
}

/** The transactions of users. System transactions never were in the pool. */
function transactionsOf(entries: readonly ChainEntry[]): readonly Transaction[] {
  const transactions: Transaction[] = []
  for (const { block } of entries) {
    for (const { transaction } of block.receipts) {
      if (!isSystemTransaction(transaction)) transactions.push(transaction)
    }
  }
  return transactions
}
