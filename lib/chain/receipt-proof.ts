/** Proves that a receipt belongs to a block. */

import type { Network } from '../config/network.ts'
import { orderedProof } from '../state/ordered-trie.ts'
import type { Block } from './block.ts'
import { rawReceipts } from './raw-forms.ts'

/** Merkle proof of a receipt: nodes of the receipt trie from its leaf up to the root, whose hash is `receiptsRoot`. */
export function receiptNodes(network: Network, block: Block, index: number): readonly Uint8Array[] {
  return orderedProof(rawReceipts(network, block), index).reverse()
}
