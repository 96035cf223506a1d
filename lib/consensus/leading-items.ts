/** The first items of an encoded header, which are the same on all networks. */

import { fromHex } from '../base/hex.ts'
import type { Header } from './header-fields.ts'

/** RLP items before the bloom. */
export function leadingItems(header: Header): readonly Uint8Array[] {
  return [
    fromHex(header.parentHash),
    fromHex(header.unclesHash),
    fromHex(header.coinbase),
    fromHex(header.stateRoot),
    fromHex(header.transactionsRoot),
    fromHex(header.receiptsRoot),
  ]
}
