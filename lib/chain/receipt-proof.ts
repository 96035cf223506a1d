/** Proves that a receipt belongs to a block. */

import type { Network } from '../config/network.ts'
import { consensusOf } from '../consensus/consensus-of.ts'
import { orderedProof } from '../state/ordered-trie.ts'
import type { Block } from './block.ts'

/** Merkle proof of a receipt: nodes of the receipt trie from its leaf up to the root, whose hash is `receiptsRoot`. */
export function receiptNodes(network: Network, { receipts }: Block, index: number): readonly Uint8Array[] {
  const encoded = receipts.map(consensusOf(network).encodeReceipt)
  return orderedProof(encoded, index, network.stateTrie).reverse()
}
