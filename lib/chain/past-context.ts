/** Builds the block context of an existing block, for replayed transactions and for calls. */

import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import { ancestorsFrom, entryBefore, entryBelow } from './ancestors.ts'
import type { ChainEntry } from './chain-entry.ts'
import type { Header } from '../consensus/header-fields.ts'

/** The context in which the transactions of an existing block ran. */
export function blockContextOf(entry: ChainEntry, network: Pick<Network, 'chainId'>): BlockContext {
  const { header, chainId = network.chainId } = entry.block
  return headerContext(header, () => entryBefore(entry), chainId)
}

/**
 * The block context of a header and a function that looks up its parent. The lookup of older blocks follows the parents, because the block may be a
 * side block and the head may change meanwhile.
 */
export function headerContext(
  header: Header,
  parent: () => ChainEntry | undefined,
  chainId: bigint,
): BlockContext {
  return {
    number: header.number,
    chainId,
    timestamp: header.timestamp,
    coinbase: header.coinbase,
    gasLimit: header.gasLimit,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
    difficulty: header.difficulty,
    mixHash: header.mixHash,
    minimumGasPrice: header.minimumGasPrice,
    excessBlobGas: header.excessBlobGas,
    // A block override may raise NUMBER, and then a contract can ask for blocks that are not below this one.
    blockHash: (number) => (number < header.number ? entryBelow(parent(), number)?.hash : undefined),
    ancestor: (depth) => ancestorsFrom(parent())(depth),
  }
}
