/** Signed transactions as plain values with the recovered sender, and their types (EIP-2718). */

import type { Address, Hash } from '../base/hex.ts'
import type { BlobSchedule } from '../config/eip-changes.ts'
import { SECP256K1_ORDER } from '../crypto/curve.ts'

/** A transaction without a type byte. */
export const LEGACY_TYPE = 0

/** Adds an access list (EIP-2930). */
export const ACCESS_LIST_TYPE = 1

/** Has a maximum fee and a maximum tip instead of a gas price (EIP-1559). */
export const DYNAMIC_FEE_TYPE = 2

/** Carries blobs (EIP-4844). */
export const BLOB_TYPE = 3

/** Delegates accounts to the code of contracts (EIP-7702). */
export const SET_CODE_TYPE = 4

/** A deposit of the OP Stack, which has neither a signature nor a price. Each of its blocks begins with one. */
export const DEPOSIT_TYPE = 0x7e

/** Whether the type is one of Ethereum's. Other networks have more types, which this node can show but not run. */
export const isKnownType = (type: number): boolean => type <= SET_CODE_TYPE

/**
 * Whether transactions of the type have one gas price, which is both their maximum fee and their maximum tip. Transactions of an
 * unknown type are shown with their gas price only.
 */
export const hasGasPrice = (type: number): boolean => type < DYNAMIC_FEE_TYPE || !isKnownType(type)

/** Half the order of secp256k1. A larger `s` is the malleable form of a smaller one (EIP-2). */
export const MAX_S = SECP256K1_ORDER / 2n

/** Addresses and storage keys that a transaction declares (EIP-2930). */
export type AccessList = readonly { readonly address: Address; readonly storageKeys: readonly Hash[] }[]

/** A signed authorization to delegate the signer's account to the code of a contract (EIP-7702). */
export interface Authorization {
  readonly chainId: bigint
  readonly address: Address
  readonly nonce: bigint
  readonly yParity: bigint
  readonly r: bigint
  readonly s: bigint
}

/** The blobs of a transaction, in the order of its versioned hashes, with commitments and proofs. */
export interface BlobSidecar {
  /** 0: a proof for each blob (EIP-4844); 1: a proof for each cell of each blob (EIP-7594). */
  readonly version: 0 | 1
  readonly blobs: readonly Uint8Array[]
  readonly commitments: readonly Uint8Array[]
  readonly proofs: readonly Uint8Array[]
}

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
  /** Wei. */
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

/** The signature members of a transaction; zeros for an unsigned one. */
export interface TransactionSignature {
  /** The parity of y. A legacy transaction adds 27, or 35 and twice the chain id (EIP-155). */
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
}

export interface Transaction extends TransactionFields, TransactionSignature {
  readonly hash: Hash
  readonly sender: Address
  /** Absent for a legacy transaction without replay protection (before EIP-155). */
  readonly chainId: bigint | undefined
  /** The signed bytes, with the type byte and without a sidecar. */
  readonly encoded: Uint8Array
  /** Wei that a deposit creates for its sender. */
  readonly mint?: bigint | undefined
  /** Other members of a remote's transaction, unchanged. */
  readonly remoteMembers?: Readonly<Record<string, unknown>> | undefined
}

/** Price per gas that the transaction pays at a base fee (EIP-1559). */
export function effectiveGasPrice(transaction: Transaction, baseFeePerGas: bigint): bigint {
  const offered = baseFeePerGas + transaction.maxPriorityFeePerGas
  return offered < transaction.maxFeePerGas ? offered : transaction.maxFeePerGas
}

/** Tip of the miner per gas; negative if the transaction cannot pay the base fee. */
export const effectiveTip = (transaction: Transaction, baseFeePerGas: bigint): bigint =>
  effectiveGasPrice(transaction, baseFeePerGas) - baseFeePerGas

/** Maximum cost of the transaction for its sender, in wei; `price` is the price per gas, by default the maximum. */
export function maximumCost(transaction: Transaction, price = transaction.maxFeePerGas): bigint {
  const { value, gasLimit, maxFeePerBlobGas = 0n } = transaction
  return value + gasLimit * price + blobGas(transaction) * maxFeePerBlobGas
}

/** Value of both `r` and `s` of an impersonated sender's transaction; no real signature has r equal to s. */
export const impersonatedSignature = (sender: Address): bigint => BigInt(sender) + 1n

/** Whether the sender is impersonated and did not sign. */
export const isImpersonated = ({ sender, r, s }: Pick<Transaction, 'sender' | 'r' | 's'>): boolean =>
  r === s && r === impersonatedSignature(sender)

/** Minimum `v` that contains a chain id: chain 0 with an even y (EIP-155). */
export const EIP155_V = 35n

/** Chain id in the `v` of a legacy signature; absent for 27 and 28 (EIP-155). */
export const legacyChainId = (v: bigint): bigint | undefined =>
  v < EIP155_V ? undefined : (v - EIP155_V) / 2n

/** Blob gas of a blob (GAS_PER_BLOB). */
export const GAS_PER_BLOB = 131_072n

/** Minimum wei per blob gas (MIN_BASE_FEE_PER_BLOB_GAS). */
const MIN_BLOB_BASE_FEE = 1n

interface Blobs {
  readonly blobVersionedHashes?: readonly unknown[] | undefined
}

export const blobCount = ({ blobVersionedHashes = [] }: Blobs): number => blobVersionedHashes.length

export const blobGas = (transaction: Blobs): bigint => BigInt(blobCount(transaction)) * GAS_PER_BLOB

/** Wei per blob gas in a block with this excess; zero if the network has no blobs. */
export function blobBaseFee(schedule: BlobSchedule | undefined, excessBlobGas = 0n): bigint {
  if (schedule === undefined) return 0n
  // The minimum times e to the power of a fraction, by a Taylor series in integers (fake_exponential).
  const { baseFeeUpdateFraction: denominator } = schedule
  let sum = 0n
  let term = MIN_BLOB_BASE_FEE * denominator
  for (let index = 1n; term > 0n; index++) {
    sum += term
    term = (term * excessBlobGas) / (denominator * index)
  }
  return sum / denominator
}
