/** Packs blocks of a chain as if many blocks had followed. */

import type { ChainEntry } from '../../lib/chain/chain-entry.ts'
import type { Chain } from '../../lib/chain/chain.ts'

/** Packs the blocks of a chain up to a height, the oldest first. */
export function packUpTo(chain: Chain, height: bigint): void {
  const unpacked: ChainEntry[] = []
  for (let entry = chain.stateEntryAt(height); entry?.isPacked === false; entry = entry.parent)
    unpacked.unshift(entry)
  for (const entry of unpacked) entry.pack()
}
