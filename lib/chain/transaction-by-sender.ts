/** Finds the mined transaction of a sender and nonce. It searches the block states by nonce and needs no index. */

import type { Address } from '../base/hex.ts'
import type { Chain } from './chain.ts'
import { firstBlockWhere } from './first-block-where.ts'
import type { MinedReceipt } from './segment.ts'

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
