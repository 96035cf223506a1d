/** What transactions of a block that was made saw of it. */

import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import { ancestorsFrom, entryBefore, entryBelow } from './ancestors.ts'
import type { ChainEntry } from './chain.ts'

/** The block as its transactions see it. Older blocks are found along the parents: the chain may go on meanwhile. */
export function contextOf(
  entry: Pick<ChainEntry, 'block' | 'parent' | 'leap'>,
  network: Pick<Network, 'chainId'>,
): BlockContext {
  const { header, chainId = network.chainId } = entry.block
  const parent = entryBefore(entry)
  return {
    ...header,
    chainId,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
    blockHash: (number) => entryBelow(parent, number)?.block.hash,
    ancestor: ancestorsFrom(parent),
  }
}
