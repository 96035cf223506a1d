/**
 * Builds and signs legacy transactions of merged-mining networks. The library's form would take a third of a block's time.
 * legacy-members.ts decodes received members.
 */

import { NodeError } from '../base/errors.ts'
import { EMPTY_BYTES, bigIntToBytes, bytesToBigInt, fromHex, toHash } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { curve } from '../crypto/secp256k1.ts'
import { legacySigningHash } from './legacy-members.ts'
import type { LegacyTransaction } from './legacy-members.ts'
import { EIP155_V, legacyChainId } from './transaction.ts'
import type { Transaction, TransactionFields } from './transaction.ts'

/** The fields that are signed. */
type UnsignedLegacy = Omit<LegacyTransaction, 'v' | 'r' | 's'>

/** The signature members of the list. */
type LegacySignature = Pick<LegacyTransaction, 'v' | 'r' | 's'>

/** Signs the fields for a chain. @throws NodeError 'invalidTransaction' */
export function signLegacy(fields: TransactionFields, { chainId, privateKey, sender }: Signer): Transaction {
  const members = unsignedMembers(unsigned(fields))
  const { r, s, recovery } = curve.sign(legacySigningHash(members, chainId), privateKey)
  const v = 2n * chainId + EIP155_V + BigInt(recovery)
  return withSignature(fields, { v, r: bytesToBigInt(r), s: bytesToBigInt(s) }, sender)
}

/** The signer, its key and the chain id. */
export interface Signer {
  readonly chainId: bigint
  readonly privateKey: Uint8Array
  readonly sender: Address
}

/** The transaction of fields and a signature, which need not be the sender's. @throws NodeError 'invalidTransaction' */
export function withSignature(
  fields: TransactionFields,
  signature: LegacySignature,
  sender: Address,
): Transaction {
  const { nonce, maxFeePerGas: gasPrice, gasLimit, to, value, data } = fields
  const { v, r, s } = signature
  const legacy = { nonce, gasPrice, gasLimit, to, value, data, v, r, s }
  const encoded = encodeRlp([
    ...unsignedMembers(legacy),
    bigIntToBytes(v),
    bigIntToBytes(r),
    bigIntToBytes(s),
  ])
  return legacyTransaction(legacy, sender, encoded)
}

/** The transaction of a decoded list. @throws NodeError 'invalidTransaction' */
export function legacyTransaction(
  legacy: LegacyTransaction,
  sender: Address,
  encoded: Uint8Array,
): Transaction {
  checkBounds(legacy)
  const { nonce, gasPrice, gasLimit, to, value, data, v, r, s } = legacy
  return {
    hash: toHash(keccak256(encoded)),
    type: 0,
    sender,
    nonce,
    to,
    gasLimit,
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    value,
    data,
    accessList: undefined,
    authorizationList: undefined,
    chainId: legacyChainId(v),
    v,
    r,
    s,
    encoded,
  }
}

function unsigned({ nonce, maxFeePerGas, gasLimit, to, value, data }: TransactionFields): UnsignedLegacy {
  return { nonce, gasPrice: maxFeePerGas, gasLimit, to, value, data }
}

function unsignedMembers({ nonce, gasPrice, gasLimit, to, value, data }: UnsignedLegacy): Uint8Array[] {
  const numbers = [nonce, gasPrice, gasLimit].map(bigIntToBytes)
  return [...numbers, to === undefined ? EMPTY_BYTES : fromHex(to), bigIntToBytes(value), data]
}

const MAX_WORD = 2n ** 256n - 1n
const MAX_GAS_LIMIT = 2n ** 64n - 1n

/** A larger nonce could not be incremented (EIP-2681). */
const MAX_NONCE = 2n ** 64n - 2n

function checkBounds({ nonce, gasPrice, gasLimit, value }: UnsignedLegacy): void {
  requireAtMost(MAX_NONCE, 'nonce', nonce)
  requireAtMost(MAX_GAS_LIMIT, 'gas limit', gasLimit)
  requireAtMost(MAX_WORD, 'value', value)
  requireAtMost(MAX_WORD, 'gas price', gasPrice)
  requireAtMost(MAX_WORD, 'gas limit times gas price', gasLimit * gasPrice)
}

function requireAtMost(most: bigint, name: string, value: bigint): void {
  if (value <= most) return
  throw new NodeError('invalidTransaction', `invalid transaction: ${name} ${value} is above ${most}`)
}
