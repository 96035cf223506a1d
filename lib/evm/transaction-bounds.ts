/** Checks that the numbers of a transaction fit the types that every network requires, such as 64 bits for the gas limit. */

import { MAX_UINT64, MAX_UINT256 } from '../base/limits.ts'
import { unreadable } from './rlp-members.ts'
import { hasGasPrice } from './transaction-types.ts'
import type { TransactionFields } from './transaction.ts'

/** Maximum nonce of a transaction and of an authorization, which increments it (EIP-2681). */
export const MAX_NONCE = MAX_UINT64 - 1n

/** A larger `yParity` makes the whole transaction invalid. One from 2 on is skipped with its authorization (EIP-7702). */
const MAX_Y_PARITY = 2n ** 8n - 1n

/** @throws NodeError 'invalidTransaction' that names the number that is too large. */
export function checkBounds(fields: TransactionFields): void {
  const { type, nonce, gasLimit, value, maxFeePerGas, maxPriorityFeePerGas } = fields
  const { maxFeePerBlobGas = 0n, authorizationList = [] } = fields
  const price = hasGasPrice(type) ? 'gas price' : 'max fee per gas'
  requireAtMost(MAX_NONCE, 'nonce', nonce)
  requireAtMost(MAX_UINT64, 'gas limit', gasLimit)
  requireAtMost(MAX_UINT256, 'value', value)
  requireAtMost(MAX_UINT256, price, maxFeePerGas)
  requireAtMost(MAX_UINT256, 'max priority fee per gas', maxPriorityFeePerGas)
  requireAtMost(MAX_UINT256, 'max fee per blob gas', maxFeePerBlobGas)
  requireAtMost(MAX_UINT256, `gas limit times ${price}`, gasLimit * maxFeePerGas)
  for (const { yParity } of authorizationList)
    requireAtMost(MAX_Y_PARITY, 'y parity of an authorization', yParity)
}

function requireAtMost(maximum: bigint, name: string, value: bigint): void {
  if (value > maximum) throw unreadable(`${name} ${value} is above ${maximum}`)
}
