/** What transactions of a block that was made saw of it. */

import type { Hash } from '../base/hex.ts'
import type { BlockContext } from '../evm/block-context.ts'
import { ancestorsFrom } from './ancestors.ts'
import type { ChainEntry } from './chain.ts'

/** The block as its transactions see it. Older blocks are found along the parents: the chain may go on meanwhile. */
export function contextOf({ block: { header }, parent }: Pick<ChainEntry, 'block' | 'parent'>): BlockContext {
  return {
    ...header,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
    blockHash: (number) => hashOfAncestor(parent, number),
    ancestor: ancestorsFrom(parent),
  }
}

function hashOfAncestor(parent: ChainEntry | undefined, number: bigint): Hash | undefined {
  for (let entry = parent; entry !== undefined; entry = entry.parent) {
    if (entry.block.header.number === number) return entry.block.hash
  }
  return undefined
}
