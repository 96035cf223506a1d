/** Blocks as they are sent between nodes: header, transactions, uncles and, where the hard fork has them, withdrawals. */

import { decodeRlp, encodeRlp } from '../base/rlp.ts'
import type { RlpInput } from '../base/rlp.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { Block } from './block.ts'
import { headerItems } from './header.ts'
import { withdrawalItems } from './withdrawals.ts'

/** The RLP of a block; its length is the block's `size`. */
export function encodeBlock({ header, receipts, uncles, withdrawals = [] }: Block): Uint8Array {
  const transactions = receipts.map(({ transaction }) => bodyItem(transaction))
  const body = [headerItems(header), transactions, uncles.map(headerItems)]
  return encodeRlp(header.withdrawalsRoot === undefined ? body : [...body, withdrawals.map(withdrawalItems)])
}

/** A legacy transaction is a list in the body, a typed one a byte string (EIP-2718). */
function bodyItem({ type, encoded }: Transaction): RlpInput {
  return type === 0 ? decodeRlp(encoded) : encoded
}
