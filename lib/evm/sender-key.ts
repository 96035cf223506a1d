/** Recovers the public key of a transaction's sender. Only the Bridge needs it, so transactions do not store it. */

import { NodeError } from '../base/errors.ts'
import { bigIntToBytes32 } from '../base/hex.ts'
import { decodeRlp } from '../base/rlp.ts'
import { addressOfPublicKey } from '../crypto/address.ts'
import { asRecovery } from '../crypto/curve.ts'
import { curve } from '../crypto/secp256k1.ts'
import { signingHash } from './transaction-members.ts'
import { yParityOf } from './transaction-signature.ts'
import { LEGACY_TYPE } from './transaction-types.ts'
import { legacyChainId } from './transaction.ts'
import type { Transaction } from './transaction.ts'

/** The public key: x and y, 64 bytes. Absent without a signature of the sender, which an impersonated account lacks. */
export function senderPublicKey({ type, encoded, sender, v, r, s }: Transaction): Uint8Array | undefined {
  // Networks with a Bridge have only legacy transactions.
  if (type !== LEGACY_TYPE) return undefined
  const list = decodeRlp(encoded)
  if (list instanceof Uint8Array) return undefined
  try {
    const signature = {
      r: bigIntToBytes32(r),
      s: bigIntToBytes32(s),
      recovery: asRecovery(yParityOf(type, v)),
    }
    const key = curve.recover(signingHash(type, list.slice(0, -3), legacyChainId(v)), signature)
    return addressOfPublicKey(key) === sender ? key : undefined
  } catch (error) {
    if (error instanceof NodeError) return undefined
    throw error
  }
}
