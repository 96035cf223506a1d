/** Chooses the type of a transaction request (geth, ToTransaction in internal/ethapi/transaction_args.go). */

import { BLOB_TYPE } from '../evm/sidecar.ts'
import type { TransactionRequest } from './transaction-request.ts'

/** Transaction types of EIP-2718; blob transactions are in evm/sidecar.ts. */
const LEGACY_TYPE = 0
const ACCESS_LIST_TYPE = 1
export const DYNAMIC_FEE_TYPE = 2
const SET_CODE_TYPE = 4

/**
 * The type in the request, or the type that has the request's members. Without a gas price it is EIP-1559 if the network
 * accepts that. Unlike in geth, a gas price does not drop members that legacy transactions lack, except for an empty
 * access list.
 */
export function transactionTypeOf(request: TransactionRequest, accepted: readonly number[]): number {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList = [] } = request
  if (type !== undefined) return Number(type)
  if (request.authorizationList !== undefined) return SET_CODE_TYPE
  if (hasBlobs(request)) return BLOB_TYPE
  if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) return DYNAMIC_FEE_TYPE
  if (gasPrice === undefined && accepted.includes(DYNAMIC_FEE_TYPE)) return DYNAMIC_FEE_TYPE
  return accessList.length > 0 ? ACCESS_LIST_TYPE : LEGACY_TYPE
}

const hasBlobs = ({ maxFeePerBlobGas, blobVersionedHashes, blobs }: TransactionRequest): boolean =>
  [maxFeePerBlobGas, blobVersionedHashes, blobs].some((member) => member !== undefined)
