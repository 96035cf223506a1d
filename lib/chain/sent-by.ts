/** The mined transaction of a sender with a nonce: no index is kept for it, the states of the blocks tell where it is. */

import type { Address } from '../base/hex.ts'
import type { Chain } from './chain.ts'
import { firstBlockWhere } from './first-block-where.ts'
import type { MinedReceipt } from './segment.ts'

/**
 * The transaction and its block; absent when there is none. Few blocks are looked at: nonces only rise from block to
 * block, so that a transaction is not found where somebody has since set its sender's nonce back.
 */
export function sentBy(chain: Chain, sender: Address, nonce: bigint): MinedReceipt | undefined {
  const entry = firstBlockWhere(chain, (state) => state.nonce(sender) > nonce)
  const receipt = entry?.block.receipts.find(
    ({ transaction }) => transaction.sender === sender && transaction.nonce === nonce,
  )
  return entry === undefined || receipt === undefined ? undefined : { entry, receipt }
}
