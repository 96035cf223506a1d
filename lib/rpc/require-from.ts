/** Requires the sender of a transaction that this node signs. */

import { NodeError } from '../base/errors.ts'
import type { Address } from '../base/hex.ts'
import type { TransactionRequest } from '../simulation/transaction-request.ts'

/** Returns the sender of a request. @throws NodeError 'invalidParams' if the request has none */
export function requireFrom({ from }: TransactionRequest): Address {
  if (from !== undefined) return from
  throw new NodeError(
    'invalidParams',
    'params[0].from (transaction): expected a 20-byte address, got nothing',
  )
}
