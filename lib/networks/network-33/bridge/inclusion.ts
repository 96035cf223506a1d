/** Checks that a transaction of the auxiliary chain is in a block whose header the Bridge knows. Terms: bridge.ts. */

import { equalBytes, type Hash } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
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
 * @throws PrecompileFailure if the tree is malformed, or the Bridge does not look up headers at this height
 */
export function isProven(
  storage: BridgeStorage,
  { raw, height, tree }: { readonly raw: Uint8Array; readonly height: bigint; readonly tree: Uint8Array },
): boolean {
  const chain = new HeaderChain(storage)
  const header = chain.atHeight(height)
  if (header === undefined || chain.best.height - height + 1n < AUX_CONFIRMATIONS) return false
  const root = rootOver(tree, doubleSha256(raw))
  if (root === undefined) return false
  const lowest = chain.lowestHeight
  if (height < lowest) throw new PrecompileFailure(`height ${height} is below ${lowest}, the lowest accepted`)
  const accepted = [header.merkleRoot, witnessRoot(storage, header.hash)]
  return accepted.some((one) => one !== undefined && equalBytes(one, root))
}
