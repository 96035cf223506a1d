/** Reads, checks and recovers the signature of a transaction. */

import { PHRASES } from '../config/phrases.ts'
import { NodeError } from '../base/errors.ts'
import { bigIntToBytes32, type Address } from '../base/hex.ts'
import { decodeRlp, type RlpItem } from '../base/rlp.ts'
import { addressOfPublicKey, recoverAddress } from '../crypto/address.ts'
import { asRecovery, type Signature } from '../crypto/curve.ts'
import { curve } from '../crypto/secp256k1.ts'
import { bytesAt, numberAt, readNumber, unreadable, signingHash } from './transaction-members.ts'
import {
  LEGACY_TYPE,
  EIP155_V,
  MAX_S,
  legacyChainId,
  type Transaction,
  type TransactionSignature,
} from './transaction.ts'

/** @throws NodeError 'invalidTransaction' if r or s is zero, or s above half the order (EIP-2). */
export function checkSignature(type: number, members: readonly RlpItem[]): void {
  const r = numberAt(members, -2)
  const s = numberAt(members, -1)
  const refuse = (fault: string, reference: string) =>
    new NodeError('invalidTransaction', `invalid signature: ${fault}`, {
      phrases: PHRASES.invalidTransaction(type === LEGACY_TYPE ? undefined : reference),
    })
  if (r === 0n || s === 0n)
    throw refuse('r and s must not be zero', 'Typed transaction signature is incomplete')
  if (s > MAX_S)
    throw refuse(
      's is above half the curve order (EIP-2)',
      `Type ${type} transaction signature s must be at most secp256k1n/2`,
    )
}

/** Reads a signature. Errors of typed transactions have the reference node's text. @throws NodeError 'invalidTransaction' */
export function readSignature(type: number, members: readonly RlpItem[]): TransactionSignature {
  const isTyped = type !== LEGACY_TYPE
  const number = (position: number, name: string, reference: string) =>
    readNumber(name, bytesAt(members, position), { reference: isTyped ? reference : undefined })
  const v = number(-3, 'v', 'Typed transaction yParity must be 0 or 1')
  if (isTyped && v > 1n)
    throw unreadable(
      `the y parity is ${v}, not 0 or 1`,
      `Typed transaction yParity must be 0 or 1, got: ${v}`,
    )
  return {
    v,
    r: number(-2, 'r', 'Signature R is not valid'),
    s: number(-1, 's', 'Signature S is not valid'),
  }
}

/** Parity of y in the `v` of a signature (EIP-155). In typed transactions `v` is the parity itself. */
function yParityOf(type: number, v: bigint): bigint {
  if (type !== LEGACY_TYPE) return v
  return v < EIP155_V ? v - 27n : (v - EIP155_V) % 2n
}

/** The address that signed a hash. @throws NodeError 'invalidTransaction' */
export function recoverSender(hash: Uint8Array, type: number, signature: TransactionSignature): Address {
  try {
    return recoverAddress(hash, recoverable(type, signature))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new NodeError('invalidTransaction', `invalid transaction: ${reason}`, { cause: error })
  }
}

/**
 * The sender's public key: x and y, 64 bytes. Absent without the sender's signature, as for impersonated accounts. Only precompiles
 * of some networks need it, so transactions do not store it.
 */
export function senderPublicKey({
  type,
  encoded,
  sender,
  ...signature
}: Transaction): Uint8Array | undefined {
  const list = decodeRlp(type === LEGACY_TYPE ? encoded : encoded.subarray(1))
  if (list instanceof Uint8Array) return undefined
  const hash = signingHash(type, list.slice(0, -3), legacyChainId(signature.v))
  try {
    const key = curve.recover(hash, recoverable(type, signature))
    return addressOfPublicKey(key) === sender ? key : undefined
  } catch (error) {
    if (error instanceof NodeError) return undefined
    throw error
  }
}

/** The signature in the form of the curve. @throws NodeError if v is invalid */
const recoverable = (type: number, { v, r, s }: TransactionSignature): Signature => ({
  r: bigIntToBytes32(r),
  s: bigIntToBytes32(s),
  recovery: asRecovery(yParityOf(type, v)),
})
