/** Checks the proofs of sidecars (EIP-4844, EIP-7594). Only Ethereum networks load it, because the curve is slow to set up. */

import { areCellsProven, isBlobProven } from '../../crypto/blob-proofs.ts'
import { proofsPerBlob } from '../../evm/sidecar.ts'
import type { BlobSidecar } from '../../evm/transaction.ts'

/** Whether the proofs of all blobs are valid. The counts have been checked before. */
export function isSidecarProven({ version, blobs, commitments, proofs }: BlobSidecar): boolean {
  const count = proofsPerBlob(version)
  const committed = blobs.flatMap((blob, index) => {
    const commitment = commitments[index]
    const own = proofs.slice(index * count, (index + 1) * count)
    return commitment === undefined ? [] : [{ blob, commitment, proofs: own }]
  })
  return version === 0 ? committed.every(isBlobProven) : areCellsProven(committed)
}
