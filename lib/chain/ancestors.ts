/** Ancestors of a block, and the block contexts that need them. */

import type { Ancestor, BlockContext } from '../evm/block-context.ts'
import type { Hash } from '../base/hex.ts'
import type { Network } from '../config/network.ts'
import type { Header } from '../networks/consensus/consensus.ts'
import { cumulativeDifficulty, uncleHashesOf } from './block.ts'
import type { ChainEntry } from './chain-entry.ts'

/** Ancestors of a child of `parent` by depth: 0 is `parent` itself. The chain is not asked: its head may change while a block runs. */
export function ancestorsFrom(parent: ChainEntry | undefined): (depth: number) => Ancestor | undefined {
  return (depth) => {
    if (parent === undefined) return undefined
    const entry = entryBelow(parent, BigInt(parent.number - depth))
    return entry === undefined ? undefined : ancestorOf(entry)
  }
}

/** The entry of the previous block. The block is made if it is reserved. */
export const entryBefore = (entry: Pick<ChainEntry, 'number' | 'parent' | 'reservation'>) =>
  entry.reservation?.make(BigInt(entry.number) - 1n) ?? entry.parent

/** The entry with this number: `highest` or one of its ancestors. The block is made if it is reserved. */
export function entryBelow(highest: ChainEntry | undefined, number: bigint): ChainEntry | undefined {
  for (let entry = highest; entry !== undefined; entry = entry.parent) {
    let steps = entry.number - Number(number)
    // Unless an entry is reserved, its parent has the next lower number. Counting down is faster than comparing bigints.
    for (; steps > 0 && entry.reservation === undefined; steps--) {
      if (entry.parent === undefined) return undefined
      entry = entry.parent
    }
    if (steps === 0) return entry
    const reserved = entry.reservation?.make(number)
    if (reserved !== undefined) return reserved
  }
  return undefined
}

function ancestorOf({ block }: ChainEntry): Ancestor {
  const { header, hash, uncles, totalDifficulty } = block
  return {
    hash,
    totalDifficulty,
    coinbase: header.coinbase,
    minimumGasPrice: header.minimumGasPrice,
    gasLimit: header.gasLimit,
    gasUsed: header.gasUsed,
    difficulty: header.difficulty,
    cumulativeDifficulty: cumulativeDifficulty(block),
    paidFees: header.paidFees,
    own: header.own,
    uncles,
  }
}

/** The context in which the transactions of an existing block ran. */
export function blockContextOf(entry: ChainEntry, network: Pick<Network, 'chainId'>): BlockContext {
  const { header, chainId = network.chainId } = entry.block
  return headerContext(header, () => entryBefore(entry), chainId)
}

/**
 * The block context of a header, with a lookup of its ancestors by parent, because the block may be a side block. Its own hash is
 * read only if an override raises NUMBER; it is absent if the block is not mined.
 */
export function headerContext(
  header: Header,
  parent: () => ChainEntry | undefined,
  chainId: bigint,
  ownHash?: Hash,
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
    slotNumber: header.slotNumber,
    blockHash: (number) => {
      if (number === header.number) return ownHash
      return number < header.number ? entryBelow(parent(), number)?.hash : undefined
    },
    ancestor: (depth) => ancestorsFrom(parent())(depth),
  }
}

/** Number of ancestors of a block that may be parents of its uncles. */
const GENERATIONS = 7

/** Headers of the uncles of a child: side blocks whose parents are recent ancestors, and that no recent ancestor includes. */
export function unclesAfter(parent: ChainEntry, siblings: Iterable<ChainEntry>): readonly Header[] {
  const known = [...siblings]
  const { maxUncles } = parent.block.header.consensus
  if (known.length === 0 || maxUncles === 0) return []
  const ancestors = lastOf(parent)
  const hashes = new Set(ancestors.map(({ hash }) => hash))
  const named = new Set(ancestors.flatMap(uncleHashesOf))
  const uncles = known.filter(
    ({ block: { header, hash } }) =>
      // A block of the same height would be a competing block, not an uncle.
      header.number <= parent.block.header.number &&
      hashes.has(header.parentHash) &&
      !hashes.has(hash) &&
      !named.has(hash),
  )
  return uncles.slice(0, maxUncles).map(({ block }) => block.header)
}

function lastOf(newest: ChainEntry): readonly ChainEntry['block'][] {
  const blocks: ChainEntry['block'][] = []
  for (let entry: ChainEntry | undefined = newest; entry !== undefined; entry = entry.parent) {
    if (blocks.push(entry.block) === GENERATIONS) break
  }
  return blocks
}
