/** Converts logs of the deposit contract to execution requests (EIP-6110). */

import { asHash, bytesToBigInt } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { Log } from './outcome.ts'

/** Topic of `DepositEvent(bytes,bytes,bytes,bytes,bytes)`: DEPOSIT_EVENT_SIGNATURE_HASH of EIP-6110. */
const DEPOSIT_EVENT = asHash('0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5')

/** Length in bytes of the data of a deposit log. */
const LOG_SIZE = 576

/** Position of each field's length in the ABI encoding, and that length in bytes. */
const FIELDS = [
  { name: 'pubkey', offset: 160, size: 48 },
  { name: 'withdrawal_credentials', offset: 256, size: 32 },
  { name: 'amount', offset: 320, size: 8 },
  { name: 'signature', offset: 384, size: 96 },
  { name: 'index', offset: 512, size: 8 },
] as const

const WORD_SIZE = 32

/** Whether a log is a deposit of the contract. */
export const isDeposit = ({ address, topics }: Log, contract: Address): boolean =>
  address === contract && topics[0] === DEPOSIT_EVENT

/** The fault in the layout of a deposit log; absent for a valid log. A block cannot hold an invalid one. */
export function depositFault({ address, data }: Log): string | undefined {
  if (data.length !== LOG_SIZE)
    return `a deposit log of ${address} has ${data.length} bytes, expected ${LOG_SIZE}`
  for (const [index, { name, offset, size }] of FIELDS.entries()) {
    const [foundOffset, foundSize] = [wordAt(data, index * WORD_SIZE), wordAt(data, offset)]
    if (foundOffset !== BigInt(offset) || foundSize !== BigInt(size))
      return `a deposit log of ${address} has its ${name} (${foundSize} bytes) at ${foundOffset}, expected ${size} bytes at ${offset}`
  }
  return undefined
}

/** The request of a deposit log: its fields without lengths and padding. */
export function depositRequest({ data }: Log): Uint8Array {
  const fields = FIELDS.map(({ offset, size }) =>
    data.subarray(offset + WORD_SIZE, offset + WORD_SIZE + size),
  )
  return Buffer.concat(fields)
}

const wordAt = (data: Uint8Array, offset: number): bigint =>
  bytesToBigInt(data.subarray(offset, offset + WORD_SIZE))
