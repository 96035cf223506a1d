/** Signed transactions as plain values with the recovered sender. */

import {
  isAccessList2930Tx,
  isBlob4844Tx,
  isEOACode7702Tx,
  isFeeMarket1559Tx,
  isLegacyTx,
} from '@ethereumjs/tx'
import type { TypedTransaction } from '@ethereumjs/tx'
import { asHash, bytesToBigInt, toAddress, toHash } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { blobGas } from './blob-gas.ts'
import type { BlobSidecar } from './sidecar.ts'

/** Half the order of secp256k1. A larger `s` is the malleable form of a smaller one (EIP-2). */
export const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Addresses and storage keys that a transaction declares (EIP-2930). */
export type AccessList = readonly { readonly address: Address; readonly storageKeys: readonly Hash[] }[]

/** A signed authorization to delegate an account to another's code (EIP-7702). */
export interface Authorization {
  readonly chainId: bigint
  readonly address: Address
  readonly nonce: bigint
  readonly yParity: bigint
  readonly r: bigint
  readonly s: bigint
}

/** Fields of an unsigned transaction. */
export interface TransactionFields {
  /** 0 legacy, 1 access list, 2 fee market, 3 blob, 4 set code. */
  readonly type: number
  readonly nonce: bigint
  /** Absent when the transaction creates a contract. */
  readonly to: Address | undefined
  readonly gasLimit: bigint
  /** Maximum price per gas, in wei; the gas price of types 0 and 1. */
  readonly maxFeePerGas: bigint
  /** Maximum tip of the miner per gas, in wei; the gas price of types 0 and 1. */
  readonly maxPriorityFeePerGas: bigint
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList?: AccessList | undefined
  readonly authorizationList?: readonly Authorization[] | undefined
  /** Maximum price per blob gas, in wei; absent without blobs (EIP-4844). */
  readonly maxFeePerBlobGas?: bigint | undefined
  /** Hashes of the commitments to its blobs; absent without blobs. */
  readonly blobVersionedHashes?: readonly Hash[] | undefined
  /** Its blobs; present only until the pool has admitted it. */
  readonly sidecar?: BlobSidecar | undefined
}

/** A signed transaction. */
export interface Transaction extends TransactionFields {
  readonly hash: Hash
  readonly sender: Address
  /** Absent for a legacy transaction without replay protection (before EIP-155). */
  readonly chainId: bigint | undefined
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
  /** The signed bytes, with the type byte and without a sidecar. */
  readonly encoded: Uint8Array
}

/** Price per gas that the transaction pays at a base fee (EIP-1559). */
export function effectiveGasPrice(transaction: Transaction, baseFeePerGas: bigint): bigint {
  const offered = baseFeePerGas + transaction.maxPriorityFeePerGas
  return offered < transaction.maxFeePerGas ? offered : transaction.maxFeePerGas
}

/** Tip of the miner per gas; negative if the transaction cannot pay the base fee. */
export function effectiveTip(transaction: Transaction, baseFeePerGas: bigint): bigint {
  return effectiveGasPrice(transaction, baseFeePerGas) - baseFeePerGas
}

/** Maximum cost of the transaction for its sender, in wei. */
export function maximumCost(transaction: Transaction): bigint {
  const { value, gasLimit, maxFeePerGas, maxFeePerBlobGas = 0n } = transaction
  return value + gasLimit * maxFeePerGas + blobGas(transaction) * maxFeePerBlobGas
}

/** Converts the library's transaction. */
export function fromLibraryTransaction(
  inner: TypedTransaction,
  sender: Address,
  encoded: Uint8Array,
): Transaction {
  return {
    hash: toHash(keccak256(encoded)),
    type: inner.type,
    sender,
    nonce: inner.nonce,
    to: inner.to === undefined ? undefined : toAddress(inner.to.bytes),
    gasLimit: inner.gasLimit,
    value: inner.value,
    data: inner.data,
    ...signatureOf(inner),
    encoded,
    ...feesOf(inner),
    ...listsOf(inner),
    ...blobMembersOf(inner),
  }
}

/** The signature, or zeros for an unsigned transaction, as geth shows a simulated one. */
function signatureOf(inner: TypedTransaction): Pick<Transaction, 'v' | 'r' | 's'> {
  if (!inner.isSigned()) return { v: 0n, r: 0n, s: 0n }
  return {
    v: present(inner.v, 'v of a signed transaction'),
    r: present(inner.r, 'r of a signed transaction'),
    s: present(inner.s, 's of a signed transaction'),
  }
}

function feesOf(inner: TypedTransaction): Pick<Transaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  if (isFeeMarket1559Tx(inner) || isBlob4844Tx(inner) || isEOACode7702Tx(inner)) {
    return { maxFeePerGas: inner.maxFeePerGas, maxPriorityFeePerGas: inner.maxPriorityFeePerGas }
  }
  const gasPrice = isLegacyTx(inner) || isAccessList2930Tx(inner) ? inner.gasPrice : 0n
  return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice }
}

function listsOf(inner: TypedTransaction): Pick<Transaction, 'accessList' | 'authorizationList' | 'chainId'> {
  if (isLegacyTx(inner)) {
    return { accessList: undefined, authorizationList: undefined, chainId: legacyChainId(inner.v) }
  }
  const accessList = inner.accessList.map(([address, keys]) => ({
    address: toAddress(address),
    storageKeys: keys.map(toHash),
  }))
  const authorizationList = isEOACode7702Tx(inner)
    ? inner.authorizationList.map(([chainId, address, nonce, yParity, r, s]) => ({
        chainId: bytesToBigInt(chainId),
        address: toAddress(address),
        nonce: bytesToBigInt(nonce),
        yParity: bytesToBigInt(yParity),
        r: bytesToBigInt(r),
        s: bytesToBigInt(s),
      }))
    : undefined
  return { accessList, authorizationList, chainId: inner.chainId }
}

function blobMembersOf(
  inner: TypedTransaction,
): Pick<Transaction, 'maxFeePerBlobGas' | 'blobVersionedHashes'> {
  if (!isBlob4844Tx(inner)) return {}
  const { maxFeePerBlobGas, blobVersionedHashes } = inner
  return { maxFeePerBlobGas, blobVersionedHashes: blobVersionedHashes.map(asHash) }
}

/** Value of both `r` and `s` of an impersonated sender's transaction; no real signature has r equal to s. */
export const impersonatedSignature = (sender: Address): bigint => BigInt(sender) + 1n

/** Whether the sender is impersonated and did not sign. */
export const isImpersonated = ({ sender, r, s }: Pick<Transaction, 'sender' | 'r' | 's'>): boolean =>
  r === s && r === impersonatedSignature(sender)

/** Minimum `v` that contains a chain id: chain 0 with an even y (EIP-155). */
export const EIP155_V = 35n

/** Chain id in the `v` of a legacy signature; absent for 27 and 28 (EIP-155). */
export function legacyChainId(v: bigint | undefined): bigint | undefined {
  return v === undefined || v < EIP155_V ? undefined : (v - EIP155_V) / 2n
}
