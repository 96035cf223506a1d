/** Looks up the ancestors of a block, for precompiles that read their headers. */

import { consensusOfHeader } from '../consensus/consensus-of.ts'
import type { Ancestor } from '../evm/block-context.ts'
import { cumulativeDifficulty } from './block.ts'
import type { ChainEntry } from './chain-entry.ts'

/**
 * Returns the ancestors of a child of `parent`, by depth: 0 is `parent` itself. The lookup follows the parents, because the
 * head of the chain may change while a block runs.
 */
export function ancestorsFrom(parent: ChainEntry | undefined): (depth: number) => Ancestor | undefined {
  return (depth) => {
    if (parent === undefined) return undefined
    const entry = entryBelow(parent, BigInt(parent.number - depth))
    return entry === undefined ? undefined : ancestorOf(entry)
  }
}

/** The entry of the previous block. The block is made if it is reserved. */
export function entryBefore({
  number,
  parent,
  reservation,
}: Pick<ChainEntry, 'number' | 'parent' | 'reservation'>) {
  return reservation?.make(BigInt(number) - 1n) ?? parent
}

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
    ...consensusOfHeader(header).auxFields(header),
    hash,
    totalDifficulty,
    coinbase: header.coinbase,
    minimumGasPrice: header.minimumGasPrice,
    gasLimit: header.gasLimit,
    gasUsed: header.gasUsed,
    difficulty: header.difficulty,
    cumulativeDifficulty: cumulativeDifficulty(block),
    paidFees: header.paidFees,
    uncles,
  }
}
