/** Checks that the numbers of a transaction are within the bounds of every block. */

import { unreadable } from './rlp-members.ts'
import type { TransactionFields } from './transaction.ts'

const MAX_WORD = 2n ** 256n - 1n
const MAX_GAS_LIMIT = 2n ** 64n - 1n

/** A larger nonce could not be incremented (EIP-2681). */
const MAX_NONCE = 2n ** 64n - 2n

/** @throws NodeError 'invalidTransaction' that names the number that is too large. */
export function checkBounds(fields: TransactionFields): void {
  const { type, nonce, gasLimit, value, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas = 0n } = fields
  const price = type < 2 ? 'gas price' : 'max fee per gas'
  requireAtMost(MAX_NONCE, 'nonce', nonce)
  requireAtMost(MAX_GAS_LIMIT, 'gas limit', gasLimit)
  requireAtMost(MAX_WORD, 'value', value)
  requireAtMost(MAX_WORD, price, maxFeePerGas)
  requireAtMost(MAX_WORD, 'max priority fee per gas', maxPriorityFeePerGas)
  requireAtMost(MAX_WORD, 'max fee per blob gas', maxFeePerBlobGas)
  requireAtMost(MAX_WORD, `gas limit times ${price}`, gasLimit * maxFeePerGas)
}

function requireAtMost(most: bigint, name: string, value: bigint): void {
  if (value > most) throw unreadable(`${name} ${value} is above ${most}`)
}
