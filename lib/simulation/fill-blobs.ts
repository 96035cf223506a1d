/** Fills in the blob members of a transaction request (geth, internal/ethapi/transaction_args.go). */

import { NodeError } from '../base/errors.ts'
import { versionedHash } from '../evm/sidecar.ts'
import type { BlobSidecar } from '../evm/transaction.ts'
import type { TransactionFields } from '../evm/transaction.ts'
import type { TransactionRequest } from './transaction-request.ts'

/**
 * Fills in versioned hashes, blob fee and sidecar. The default fee is twice the blob base fee of the next block.
 * @throws NodeError 'invalidTransaction' for blobs without commitments and proofs
 */
export function fillBlobs(
  request: TransactionRequest,
  nextBlobBaseFee: bigint,
): Pick<TransactionFields, 'maxFeePerBlobGas' | 'blobVersionedHashes' | 'sidecar'> {
  const sidecar = sidecarOf(request)
  return {
    maxFeePerBlobGas: request.maxFeePerBlobGas ?? nextBlobBaseFee * 2n,
    blobVersionedHashes: request.blobVersionedHashes ?? sidecar?.commitments.map(versionedHash) ?? [],
    sidecar,
  }
}

function sidecarOf({ blobs, commitments, proofs }: TransactionRequest): BlobSidecar | undefined {
  if (blobs === undefined) return undefined
  if (commitments === undefined || proofs === undefined) {
    throw new NodeError(
      'invalidTransaction',
      'invalid transaction: blobs need commitments and proofs beside them, which this node checks and does not make',
    )
  }
  return { version: proofs.length === blobs.length ? 0 : 1, blobs, commitments, proofs }
}
