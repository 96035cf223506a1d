/** A transaction or a call as a client requests it. */

import type { Address } from '../../base/hex.ts'
import type { BlobSidecar, TransactionFields } from '../../evm/transaction.ts'
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  DYNAMIC_FEE_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
} from '../../evm/transaction.ts'

/** The members that may be absent. */
type Requested<Members> = { readonly [Name in keyof Members]?: Members[Name] | undefined }

/** A transaction before it is signed, or a call. Absent members have defaults (geth, internal/ethapi, TransactionArgs). */
export interface TransactionRequest
  extends
    Requested<Omit<TransactionFields, 'type' | 'gasLimit' | 'sidecar'>>,
    Requested<Omit<BlobSidecar, 'version'>> {
  readonly from?: Address | undefined
  readonly gas?: bigint | undefined
  /** Wei per gas. */
  readonly gasPrice?: bigint | undefined
  readonly chainId?: bigint | undefined
  readonly type?: bigint | undefined
}

/**
 * The type in the request, or the type that has the request's members. Without a gas price it is EIP-1559 if the network
 * accepts that. Unlike in geth, a gas price does not drop members that legacy transactions lack, except for an empty
 * access list where the network accepts no access lists.
 */
export function transactionTypeOf(request: TransactionRequest, accepted: readonly number[]): number {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = request
  const { maxFeePerBlobGas, blobVersionedHashes, blobs } = request
  if (type !== undefined) return Number(type)
  if (request.authorizationList !== undefined) return SET_CODE_TYPE
  if ((maxFeePerBlobGas ?? blobVersionedHashes ?? blobs) !== undefined) return BLOB_TYPE
  if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) return DYNAMIC_FEE_TYPE
  if (gasPrice === undefined && accepted.includes(DYNAMIC_FEE_TYPE)) return DYNAMIC_FEE_TYPE
  if (accessList === undefined) return LEGACY_TYPE
  return accessList.length > 0 || accepted.includes(ACCESS_LIST_TYPE) ? ACCESS_LIST_TYPE : LEGACY_TYPE
}
