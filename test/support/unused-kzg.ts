/** Placeholders for the KZG functions that the EVM library requires to read a blob transaction, but never calls. */

import { InvariantError } from '../../lib/base/invariant.ts'

// No transaction of the tests has its blobs with it.
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
