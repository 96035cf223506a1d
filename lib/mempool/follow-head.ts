/** What a change of the head does to the pool. A revert of the world is none of these: it restores the pool itself. */

import type { Chain, HeadChange } from '../chain/chain.ts'
import { isSystemTransaction } from '../evm/system-transaction.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { Mempool } from './mempool.ts'

/**
 * Brings the pool in line with the new head of the chain: takes out what the blocks that joined have made impossible,
 * and puts back what was only in the blocks that left.
 */
export function followHead(mempool: Mempool, change: HeadChange, chain: Chain): void {
  const { state } = chain.head
  for (const sender of new Set(transactionsOf(change.added).map((transaction) => transaction.sender))) {
    mempool.removePassed(sender, state.nonce(sender))
  }
  for (const transaction of transactionsOf(change.removed.toReversed())) {
    const { sender, nonce } = transaction
    const isPassed = nonce < state.nonce(sender)
    if (!isPassed && mempool.find(sender, nonce) === undefined) mempool.add(transaction)
  }
}

/** What users sent: the transactions that close the blocks never were in the pool. */
function transactionsOf(blocks: HeadChange['added']): readonly Transaction[] {
  const transactions: Transaction[] = []
  for (const { receipts } of blocks) {
    for (const { transaction } of receipts) {
      if (!isSystemTransaction(transaction)) transactions.push(transaction)
    }
  }
  return transactions
}
