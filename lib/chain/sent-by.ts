/** The mined transaction of a sender with a nonce: no index is kept for it, the states of the blocks tell where it is. */

import type { Address, Hash } from '../base/hex.ts'
import type { Chain } from './chain.ts'

/**
 * Hash of the transaction; absent when there is none. Few blocks are looked at: nonces only rise from block to block,
 * so that a transaction is not found where somebody has since set its sender's nonce back.
 */
export function sentBy(chain: Chain, sender: Address, nonce: bigint): Hash | undefined {
  const isSent = (number: bigint) => (chain.at(number)?.state.nonce(sender) ?? 0n) > nonce
  let last = chain.head.block.header.number
  if (!isSent(last)) return undefined
  let first = 0n
  while (first < last) {
    const middle = (first + last) / 2n
    if (isSent(middle)) last = middle
    else first = middle + 1n
  }
  const receipts = chain.at(last)?.block.receipts ?? []
  return receipts.find(({ transaction }) => transaction.sender === sender && transaction.nonce === nonce)
    ?.transaction.hash
}
