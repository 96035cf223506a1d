/** Reads, checks and recovers the signature of a transaction. */

import { NodeError } from '../base/errors.ts'
import { bigIntToBytes32 } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { RlpItem } from '../base/rlp.ts'
import { recoverAddress } from '../crypto/address.ts'
import { asRecovery } from '../crypto/curve.ts'
import { bytesAt, numberAt } from './rlp-members.ts'
import { readNumber } from './transaction-members.ts'
import { LEGACY_TYPE } from './transaction-types.ts'
import { EIP155_V, MAX_S } from './transaction.ts'
import type { TransactionSignature } from './transaction.ts'

/** @throws NodeError 'invalidTransaction' if r or s is zero, or s above half the order (EIP-2). */
export function checkSignature(members: readonly RlpItem[]): void {
  const r = numberAt(members, -2)
  const s = numberAt(members, -1)
  if (r === 0n || s === 0n)
    throw new NodeError('invalidTransaction', 'invalid signature: r and s must not be zero')
  if (s > MAX_S)
    throw new NodeError('invalidTransaction', 'invalid signature: s is above half the curve order (EIP-2)')
}

/** The signature, whose numbers have their minimal form. @throws NodeError 'invalidTransaction' */
export const readSignature = (members: readonly RlpItem[]): TransactionSignature => ({
  v: readNumber('v', bytesAt(members, -3)),
  r: readNumber('r', bytesAt(members, -2)),
  s: readNumber('s', bytesAt(members, -1)),
})

/** Parity of y in the `v` of a signature, which is the parity itself in typed transactions (EIP-155). */
export function yParityOf(type: number, v: bigint): bigint {
  if (type !== LEGACY_TYPE) return v
  return v < EIP155_V ? v - 27n : (v - EIP155_V) % 2n
}

/** The address that signed a hash. @throws NodeError 'invalidTransaction' */
export function recoverSender(hash: Uint8Array, type: number, { v, r, s }: TransactionSignature): Address {
  try {
    const signature = {
      r: bigIntToBytes32(r),
      s: bigIntToBytes32(s),
      recovery: asRecovery(yParityOf(type, v)),
    }
    return recoverAddress(hash, signature)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new NodeError('invalidTransaction', `invalid transaction: ${reason}`, { cause: error })
  }
}
