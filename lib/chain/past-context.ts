/** The block context of a block that was made: what its transactions saw of it, and what calls in it see. */

import type { ChainEntry } from './chain-entry.ts'
import type { Header } from './header-fields.ts'
import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import { ancestorsFrom, entryBefore, entryBelow } from './ancestors.ts'

/** The block context of a block, for transactions that run again. */
export function contextOf(
  entry: Pick<ChainEntry, 'block' | 'parent' | 'leap'>,
  network: Pick<Network, 'chainId'>,
): BlockContext {
  const { header, chainId = network.chainId } = entry.block
  return headerContext(header, entryBefore(entry), chainId)
}

/**
 * The block context of a header on its parent. Older blocks are found along the parents: the block may be a side block, and
 * the chain may go on meanwhile.
 */
export function headerContext(header: Header, parent: ChainEntry | undefined, chainId: bigint): BlockContext {
  return {
    ...header,
    chainId,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
    // An overridden block number may ask for blocks that are not below this one.
    blockHash: (number) => (number < header.number ? entryBelow(parent, number)?.block.hash : undefined),
    ancestor: ancestorsFrom(parent),
  }
}
