/** Blobs of a transaction that this node signs, as a client describes them (geth, internal/ethapi/transaction_args.go). */

import { NodeError } from '../base/errors.ts'
import type { Hash } from '../base/hex.ts'
import { versionedHash } from '../evm/sidecar.ts'
import type { BlobSidecar } from '../evm/sidecar.ts'
import type { TransactionFields } from '../evm/transaction-fields.ts'

/** What a client says of blobs. */
export interface BlobRequest {
  /** Wei. */
  readonly maxFeePerBlobGas?: bigint | undefined
  readonly blobVersionedHashes?: readonly Hash[] | undefined
  readonly blobs?: readonly Uint8Array[] | undefined
  readonly commitments?: readonly Uint8Array[] | undefined
  /** One for each blob, or one for each cell of each. */
  readonly proofs?: readonly Uint8Array[] | undefined
}

/**
 * Settles hashes, price and sidecar; the price is twice that of the next block unless it is named.
 * @throws NodeError 'invalidTransaction' for blobs without commitments and proofs
 */
export function fillBlobs(
  draft: BlobRequest,
  nextBlobBaseFee: bigint,
): Pick<TransactionFields, 'maxFeePerBlobGas' | 'blobVersionedHashes' | 'sidecar'> {
  const sidecar = sidecarOf(draft)
  return {
    maxFeePerBlobGas: draft.maxFeePerBlobGas ?? nextBlobBaseFee * 2n,
    blobVersionedHashes: draft.blobVersionedHashes ?? sidecar?.commitments.map(versionedHash) ?? [],
    sidecar,
  }
}

function sidecarOf({ blobs, commitments, proofs }: BlobRequest): BlobSidecar | undefined {
  if (blobs === undefined) return undefined
  if (commitments === undefined || proofs === undefined) {
    throw new NodeError(
      'invalidTransaction',
      'invalid transaction: blobs need commitments and proofs beside them, which this node checks and does not make',
    )
  }
  return { version: proofs.length === blobs.length ? 0 : 1, blobs, commitments, proofs }
}
