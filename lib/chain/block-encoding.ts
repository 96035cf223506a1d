/** Encodes blocks as nodes exchange them: header, transactions, uncles and, since shanghai, withdrawals. */

import { encodeRlp, encodeRlpList } from '../base/rlp.ts'
import { LEGACY_TYPE } from '../evm/transaction-types.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { Block } from './block.ts'
import { headerItems } from './header.ts'
import { withdrawalItems } from '../consensus/withdrawals.ts'

/** The RLP of a block. */
export function encodeBlock({ header, receipts, uncles, withdrawals = [] }: Block): Uint8Array {
  const items = [
    encodeRlp(headerItems(header)),
    encodeRlpList(receipts.map(({ transaction }) => encodedItem(transaction))),
    encodeRlp(uncles.map(headerItems)),
  ]
  if (header.withdrawalsRoot !== undefined) items.push(encodeRlp(withdrawals.map(withdrawalItems)))
  return encodeRlpList(items)
}

/** Length of the encoded block in bytes; of a remote block, as its node returned them. */
export const blockSize = (block: Block): number => block.remote?.size ?? encodeBlock(block).length

/** A legacy transaction is a list in the body, a typed one a byte string (EIP-2718). */
function encodedItem({ type, encoded }: Transaction): Uint8Array {
  return type === LEGACY_TYPE ? encoded : encodeRlp(encoded)
}
