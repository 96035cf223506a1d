/** Chooses the type of a transaction request (geth, ToTransaction in internal/ethapi/transaction_args.go). */

import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  DYNAMIC_FEE_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
} from '../evm/transaction-types.ts'
import type { TransactionRequest } from './transaction-request.ts'

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
