/** The RLP items that headers of all networks begin with. */

import { fromHex } from '../../base/hex.ts'
import type { Header } from './consensus.ts'

/** The RLP items of a header before the bloom, which are the same on all networks. */
export function leadingItems(header: Header): readonly Uint8Array[] {
  const { parentHash, unclesHash, coinbase, stateRoot, transactionsRoot, receiptsRoot } = header
  return [parentHash, unclesHash, coinbase, stateRoot, transactionsRoot, receiptsRoot].map(fromHex)
}
