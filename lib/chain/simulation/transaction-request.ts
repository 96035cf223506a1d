/** A transaction or a call as a client requests it. */

import type { Address, Hash } from '../../base/hex.ts'
import type { AccessList, Authorization } from '../../evm/transaction.ts'
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  DYNAMIC_FEE_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
} from '../../evm/transaction.ts'

/** A transaction before it is signed, or a call. Absent members have defaults (geth, internal/ethapi, TransactionArgs). */
export interface TransactionRequest {
  readonly from?: Address | undefined
  /** Absent for a creation. */
  readonly to?: Address | undefined
  readonly gas?: bigint | undefined
  /** Wei per gas. */
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
  /** Wei. */
  readonly value?: bigint | undefined
  readonly data?: Uint8Array | undefined
  readonly nonce?: bigint | undefined
  readonly chainId?: bigint | undefined
  readonly type?: bigint | undefined
  readonly accessList?: AccessList | undefined
  readonly authorizationList?: readonly Authorization[] | undefined
  /** Wei per blob gas. */
  readonly maxFeePerBlobGas?: bigint | undefined
  readonly blobVersionedHashes?: readonly Hash[] | undefined
  readonly blobs?: readonly Uint8Array[] | undefined
  readonly commitments?: readonly Uint8Array[] | undefined
  /** A KZG proof for each blob (EIP-4844), or for each cell of each blob (EIP-7594). */
  readonly proofs?: readonly Uint8Array[] | undefined
}

/**
 * The type in the request, or the type that has the request's members. Without a gas price it is EIP-1559 if the network
 * accepts that. Unlike in geth, a gas price does not drop members that legacy transactions lack, except for an empty
 * access list where the network accepts no access lists.
 */
export function transactionTypeOf(request: TransactionRequest, accepted: readonly number[]): number {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = request
  if (type !== undefined) return Number(type)
  if (request.authorizationList !== undefined) return SET_CODE_TYPE
  if (hasBlobs(request)) return BLOB_TYPE
  if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) return DYNAMIC_FEE_TYPE
  if (gasPrice === undefined && accepted.includes(DYNAMIC_FEE_TYPE)) return DYNAMIC_FEE_TYPE
  if (accessList === undefined) return LEGACY_TYPE
  return accessList.length > 0 || accepted.includes(ACCESS_LIST_TYPE) ? ACCESS_LIST_TYPE : LEGACY_TYPE
}

const hasBlobs = ({ maxFeePerBlobGas, blobVersionedHashes, blobs }: TransactionRequest): boolean =>
  [maxFeePerBlobGas, blobVersionedHashes, blobs].some((member) => member !== undefined)
