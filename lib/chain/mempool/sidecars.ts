/** Stores the blob sidecars of transactions sent to this node, even after mining, because blocks do not contain them. */

import type { Hash } from '../../base/hex.ts'
import type { BlobSidecar } from '../../evm/transaction.ts'
import type { Cell, ChainInstance } from '../instance/chain-instance.ts'

/** Sidecars by the hash of their transaction, oldest first. */
export type SidecarsByHash = ReadonlyMap<Hash, BlobSidecar>

/** Maximum number of stored blobs: 128 MiB. Those of the oldest transactions are dropped first. */
export const MAX_KEPT_BLOBS = 1024

/** The sidecars of one chain instance. A revert drops those of later transactions. */
export class Sidecars {
  /** Sidecars of all transactions, even of those that are no longer in the pool or on the chain. */
  readonly kept: Cell<SidecarsByHash>

  constructor(instance: ChainInstance, known: SidecarsByHash = new Map()) {
    this.kept = instance.cell('sidecars', 'restore', known)
  }

  get(transactionHash: Hash): BlobSidecar | undefined {
    return this.kept.value.get(transactionHash)
  }

  /** Stores a sidecar, and drops the oldest above the maximum. */
  keep(transactionHash: Hash, sidecar: BlobSidecar): void {
    const kept = new Map([...this.kept.value, [transactionHash, sidecar]])
    let count = [...kept.values()].reduce((total, { blobs }) => total + blobs.length, 0)
    for (const [hash, { blobs }] of kept) {
      if (count <= MAX_KEPT_BLOBS) break
      kept.delete(hash)
      count -= blobs.length
    }
    this.kept.value = kept
  }
}
