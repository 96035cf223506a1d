/** Placeholders for the KZG functions that the EVM library requires to read a blob transaction, but never calls. */

import { InvariantError } from '../base/invariant.ts'

// Transactions reach the library without their blobs, which blob-proofs.ts checks.
function refuse(): never {
  throw new InvariantError('the library was given blobs')
}

/** The functions under the names of `Common.customCrypto.kzg`; each throws. */
export const unusedKzg = {
  blobToKzgCommitment: refuse,
  computeBlobProof: refuse,
  verifyProof: refuse,
  verifyBlobProofBatch: refuse,
  computeCells: refuse,
  computeCellsAndProofs: refuse,
  recoverCellsAndProofs: refuse,
  verifyCellKzgProofBatch: refuse,
}
