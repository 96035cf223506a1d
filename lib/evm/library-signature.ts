/** Signs transactions that the library has built and checked. The library would build and check each a second time. */

import type { TypedTransaction } from '@ethereumjs/tx'
import { EMPTY_BYTES, bigIntToBytes, bytesToBigInt, stripZeros } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { curve } from '../crypto/secp256k1.ts'
import type { Signer } from './legacy-transaction.ts'
import { EIP155_V, fromLibraryTransaction } from './transaction.ts'
import type { Transaction } from './transaction.ts'

/** Number of the last members, which hold the signature. */
const SIGNATURE_MEMBERS = 3

/** The transaction with the signature of a key. */
export function signLibraryTransaction(
  unsigned: TypedTransaction,
  { chainId, privateKey, sender }: Signer,
): Transaction {
  const { r, s, recovery } = curve.sign(unsigned.getHashedMessageToSign(), privateKey)
  const { type } = unsigned
  // EIP-155 for a legacy transaction; the others have the parity itself.
  const v = type === 0 ? 2n * chainId + EIP155_V + BigInt(recovery) : BigInt(recovery)
  const members = unsigned.raw().slice(0, -SIGNATURE_MEMBERS)
  const list = encodeRlp([
    ...members.map((member) => member ?? EMPTY_BYTES),
    bigIntToBytes(v),
    stripZeros(r),
    stripZeros(s),
  ])
  const encoded = type === 0 ? list : withType(type, list)
  const signature = { chainId, v, r: bytesToBigInt(r), s: bytesToBigInt(s) }
  return { ...fromLibraryTransaction(unsigned, sender, encoded), ...signature }
}

/** The type byte, and the list after it (EIP-2718). */
function withType(type: number, list: Uint8Array): Uint8Array {
  const encoded = new Uint8Array(1 + list.length)
  encoded[0] = type
  encoded.set(list, 1)
  return encoded
}
