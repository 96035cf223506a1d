/** Checks that a transaction of the auxiliary chain is in a block whose header the Bridge knows. Terms: bridge.ts. */

import { equalBytes, toHash } from '../../../base/hex.ts'
import type { Hash } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { toDisplayOrder } from './aux-header.ts'
import type { StoredHeader } from './aux-header.ts'
import type { AuxTransaction } from './aux-transaction.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { AUX_CONFIRMATIONS } from './constants.ts'
import { HeaderChain } from './header-chain.ts'
import { readPartialTree } from './merkle.ts'
import type { PartialTree } from './merkle.ts'

/** Merkle root over a block's transactions with their witnesses, if its coinbase was registered. */
export const witnessRoot = (storage: BridgeStorage, block: Hash): Uint8Array | undefined =>
  storage.bytes(`coinbase/${block}`)

/** Stores the root. */
export const putWitnessRoot = (storage: BridgeStorage, block: Hash, root: Uint8Array): void =>
  storage.putBytes(`coinbase/${block}`, root)

/** Requires a partial Merkle tree that proves a transaction in a confirmed block. @throws PrecompileFailure */
export function requireInBlock(
  storage: BridgeStorage,
  transaction: AuxTransaction,
  height: bigint,
  tree: Uint8Array,
): void {
  if (height < 0n) throw new PrecompileFailure(`a height cannot be negative: ${height}`)
  const chain = new HeaderChain(storage)
  const best = chain.best.height
  const header = chain.atHeight(height)
  const confirmations = best - height + 1n
  if (header === undefined || confirmations < AUX_CONFIRMATIONS) {
    throw new PrecompileFailure(
      `block ${height} of ${best} has ${confirmations < 0n ? 0n : confirmations} confirmations, ` +
        `${AUX_CONFIRMATIONS} are needed`,
    )
  }
  requireInTree(storage, transaction, header, readPartialTree(tree))
}

/**
 * Accepts a tree that has the Merkle root of the header and contains the id, or one that has the registered witness root and
 * contains the witness id.
 */
function requireInTree(
  storage: BridgeStorage,
  transaction: AuxTransaction,
  header: StoredHeader,
  tree: PartialTree,
): void {
  const matches = (id: Uint8Array) => tree.matches.some((match) => equalBytes(match, id))
  const registered = witnessRoot(storage, header.hash)
  const provesId = equalBytes(tree.root, header.merkleRoot) && matches(transaction.id)
  const provesWitnessId =
    registered !== undefined && equalBytes(tree.root, registered) && matches(transaction.witnessId)
  if (provesId || provesWitnessId) return
  throw new PrecompileFailure(
    `the partial Merkle tree with root ${toHash(tree.root)} does not show transaction ${toDisplayOrder(transaction.id)} in block ${header.hash}`,
  )
}
