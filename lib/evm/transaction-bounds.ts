/** Checks that the numbers of a transaction are within the bounds of every block. */

import { unreadable } from './rlp-members.ts'
import type { TransactionFields } from './transaction.ts'

const MAX_WORD = 2n ** 256n - 1n
const MAX_GAS_LIMIT = 2n ** 64n - 1n

/** A larger nonce could not be incremented (EIP-2681). */
const MAX_NONCE = 2n ** 64n - 2n

/** A larger one makes the whole transaction invalid; above one, the authorization is skipped (EIP-7702). */
const MAX_Y_PARITY = 2n ** 8n - 1n

/** @throws NodeError 'invalidTransaction' that names the number that is too large. */
export function checkBounds(fields: TransactionFields): void {
  const { type, nonce, gasLimit, value, maxFeePerGas, maxPriorityFeePerGas } = fields
  const { maxFeePerBlobGas = 0n, authorizationList = [] } = fields
  const price = type < 2 ? 'gas price' : 'max fee per gas'
  requireAtMost(MAX_NONCE, 'nonce', nonce)
  requireAtMost(MAX_GAS_LIMIT, 'gas limit', gasLimit)
  requireAtMost(MAX_WORD, 'value', value)
  requireAtMost(MAX_WORD, price, maxFeePerGas)
  requireAtMost(MAX_WORD, 'max priority fee per gas', maxPriorityFeePerGas)
  requireAtMost(MAX_WORD, 'max fee per blob gas', maxFeePerBlobGas)
  requireAtMost(MAX_WORD, `gas limit times ${price}`, gasLimit * maxFeePerGas)
  for (const { yParity } of authorizationList)
    requireAtMost(MAX_Y_PARITY, 'y parity of an authorization', yParity)
}

function requireAtMost(most: bigint, name: string, value: bigint): void {
  if (value > most) throw unreadable(`${name} ${value} is above ${most}`)
}
