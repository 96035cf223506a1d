/** Transactions without a node, for unit tests of pools, orders and blocks. */

import { asAddress, asHash } from '../../lib/base/hex.ts'
import type { Address } from '../../lib/base/hex.ts'
import type { Transaction } from '../../lib/evm/transaction.ts'

/** Address of a number. */
export const addressOf = (n: number): Address => asAddress(`0x${n.toString(16).padStart(40, '0')}`)

let made = 0

/** A transaction with a unique hash; missing fields are zero. */
export function transactionOf(fields: Partial<Transaction> = {}): Transaction {
  made++
  return {
    hash: asHash(`0x${made.toString(16).padStart(64, '0')}`),
    type: 2,
    sender: addressOf(1),
    nonce: 0n,
    to: addressOf(2),
    gasLimit: 21_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    value: 0n,
    data: new Uint8Array(0),
    accessList: undefined,
    authorizationList: undefined,
    chainId: 33n,
    v: 0n,
    r: 1n,
    s: 1n,
    encoded: new Uint8Array(100),
    ...fields,
  }
}
