/** Checks that a transaction of the auxiliary chain is in a block whose header the Bridge knows. Terms: bridge.ts. */

import { equalBytes } from '../../../base/hex.ts'
import type { Hash } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { AUX_CONFIRMATIONS } from './constants.ts'
import { HeaderChain } from './header-chain.ts'
import { rootOver } from './merkle.ts'

/** Merkle root over a block's transactions with their witnesses, if its coinbase was registered. */
export const witnessRoot = (storage: BridgeStorage, block: Hash): Uint8Array | undefined =>
  storage.bytes(`coinbase/${block}`)

/** Stores the root. */
export const putWitnessRoot = (storage: BridgeStorage, block: Hash, root: Uint8Array): void =>
  storage.putBytes(`coinbase/${block}`, root)

/**
 * Whether a partial Merkle tree proves that these bytes are a transaction in a confirmed block of a height: the tree contains
 * their hash, and its root is that of the header, or the registered witness root (node-next 4.3).
 * @throws PrecompileFailure if the tree is malformed
 */
export function isProven(
  storage: BridgeStorage,
  { raw, height, tree }: { readonly raw: Uint8Array; readonly height: bigint; readonly tree: Uint8Array },
): boolean {
  const chain = new HeaderChain(storage)
  const header = chain.atHeight(height)
  if (header === undefined || chain.best.height - height + 1n < AUX_CONFIRMATIONS) return false
  const root = rootOver(tree, doubleSha256(raw))
  const accepted = [header.merkleRoot, witnessRoot(storage, header.hash)]
  return root !== undefined && accepted.some((one) => one !== undefined && equalBytes(one, root))
}
