/** Chooses the type of a transaction request (geth, ToTransaction in internal/ethapi/transaction_args.go). */

import { BLOB_TYPE } from '../evm/sidecar.ts'
import type { TransactionRequest } from './transaction-request.ts'

/**
 * The type in the request, or the type that has the request's members. Without a gas price it is EIP-1559 if the network
 * accepts that. Unlike in geth, a gas price does not drop members that legacy transactions lack, except for an empty
 * access list.
 */
export function transactionTypeOf(request: TransactionRequest, accepted: readonly number[]): number {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList = [] } = request
  if (type !== undefined) return Number(type)
  if (request.authorizationList !== undefined) return 4
  if (hasBlobs(request)) return BLOB_TYPE
  if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) return 2
  if (gasPrice === undefined && accepted.includes(2)) return 2
  return accessList.length > 0 ? 1 : 0
}

const hasBlobs = ({ maxFeePerBlobGas, blobVersionedHashes, blobs }: TransactionRequest): boolean =>
  [maxFeePerBlobGas, blobVersionedHashes, blobs].some((member) => member !== undefined)
