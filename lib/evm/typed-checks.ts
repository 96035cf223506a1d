/** Checks type byte, chain id and authorizations of transactions. Their members are read in transaction-members.ts. */

import { RLP_LIST, RLP_STRING } from '../base/rlp.ts'
import { unreadable } from './rlp-members.ts'
import { MAX_NONCE } from './transaction-gas.ts'
import { LEGACY_TYPE, MAX_S, type Authorization, type TransactionFields } from './transaction.ts'

/**
 * The type byte; 0 for a legacy transaction, which is a list (EIP-2718). `hasTyped` tells whether there are others.
 * @throws NodeError 'invalidTransaction'
 */
export function typeOfEncoded(encoded: Uint8Array, hasTyped: boolean): number {
  const first = encoded[0]
  if (first === undefined) throw unreadable('no bytes')
  const reserved = hasTyped ? RESERVED_BYTES.get(first) : undefined
  if (reserved !== undefined) throw unreadable(`byte 0x${toByte(first)} is no type`, reserved)
  if (first >= RLP_LIST) return 0
  if (first < RLP_STRING) return first
  throw unreadable(`byte 0x${toByte(first)} starts no list and is no type`)
}

const toByte = (value: number): string => value.toString(16).padStart(2, '0')

/** The reference node's text for a type byte (node-next 2.6). */
export const unsupportedText = (type: number): string => `transaction type not supported: 0x${toByte(type)}`

/** First bytes that are no type, with the texts of the reference node (EIP-2718). */
const RESERVED_BYTES: ReadonlyMap<number, string> = new Map([
  [LEGACY_TYPE, unsupportedText(LEGACY_TYPE)],
  [0xff, 'Transaction type 0xff is reserved per EIP-2718 and cannot be used'],
])

/** Maximum chain id of a typed transaction on network 33 (node-next 2.2). */
const MAX_TYPED_CHAIN_ID = 255n

/** @throws NodeError 'invalidTransaction' */
export function checkTypedChainId(chainId: bigint): void {
  if (chainId === 0n)
    throw unreadable('its chain id is zero', 'Typed transaction chainId must not be zero or absent')
  if (chainId > MAX_TYPED_CHAIN_ID)
    throw unreadable(
      `its chain id ${chainId} is above ${MAX_TYPED_CHAIN_ID}`,
      `Typed transaction chainId exceeds maximum supported value of ${MAX_TYPED_CHAIN_ID}, got: ${chainId}`,
    )
}

/** Refuses an authorization that can never be valid; Ethereum skips it (node-next 2.6). @throws NodeError 'invalidTransaction' */
export function checkAuthorization({ nonce, yParity, s }: Authorization): void {
  if (nonce > MAX_NONCE)
    throw unreadable(
      `nonce ${nonce} of an authorization is above ${MAX_NONCE}`,
      'Authorization nonce must be non-negative and less than 2^64 - 1',
    )
  if (yParity > 1n)
    throw unreadable(
      `y parity ${yParity} of an authorization is not 0 or 1`,
      `Authorization y_parity must be 0 or 1, got: ${yParity}`,
    )
  if (s > MAX_S)
    throw unreadable(
      's of an authorization is above half the curve order',
      'Authorization signature s must be at most secp256k1n/2',
    )
}

/**
 * Requires a receiver and an authorization (geth, core/error.go, ErrSetCodeTxCreate and ErrEmptyAuthList).
 * @throws NodeError 'invalidTransaction'
 */
export function checkDelegation({
  to,
  authorizationList = [],
}: Partial<Pick<TransactionFields, 'to' | 'authorizationList'>>): void {
  if (to === undefined)
    throw unreadable(
      'EIP-7702 transaction cannot be used to create contract',
      'Set-code transaction must have a non-null destination',
    )
  if (authorizationList.length === 0)
    throw unreadable(
      'EIP-7702 transaction with empty auth list',
      'Set-code transaction authorization_list must not be empty',
    )
}
