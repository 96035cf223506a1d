/** Builds the receipts of a block. */

import type { Receipt } from '../chain/block.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { Outcome } from '../evm/outcome.ts'
import { effectiveGasPrice } from '../evm/transaction.ts'
import type { Transaction } from '../evm/transaction.ts'

/** The receipt of an executed transaction, after the previous receipt of the block. */
export function nextReceipt(
  previous: Receipt | undefined,
  ran: { readonly transaction: Transaction; readonly outcome: Outcome; readonly context: BlockContext },
): Receipt {
  const { transaction, outcome, context } = ran
  return {
    transaction,
    outcome,
    index: previous === undefined ? 0 : previous.index + 1,
    cumulativeGasUsed: (previous?.cumulativeGasUsed ?? 0n) + outcome.gasUsed,
    firstLogIndex: previous === undefined ? 0 : previous.firstLogIndex + previous.outcome.logs.length,
    effectiveGasPrice: effectiveGasPrice(transaction, context.baseFeePerGas),
  }
}
