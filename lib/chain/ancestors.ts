/** What precompiles are told of the blocks before the one that runs. */

import type { ChainEntry } from './chain-entry.ts'
import { isMergedMining } from './header-fields.ts'
import { EMPTY_BYTES } from '../base/hex.ts'
import type { Ancestor } from '../evm/block-context.ts'
import { cumulativeDifficulty } from './block.ts'
import { bytesBehindHash } from './merged-mining/coinbase.ts'

/**
 * The blocks before one that has this parent: 0 is the parent itself.
 * They are found along the parents: the chain may go on, or back, while a block runs.
 */
export function ancestorsFrom(parent: ChainEntry | undefined): (depth: number) => Ancestor | undefined {
  return (depth) => {
    if (parent === undefined) return undefined
    const entry = entryBelow(parent, parent.block.header.number - BigInt(depth))
    return entry === undefined ? undefined : ancestorOf(entry)
  }
}

/** The entry of the block right before another, also where that was leapt over. */
export function entryBefore({ block, parent, leap }: Pick<ChainEntry, 'block' | 'parent' | 'leap'>) {
  return leap?.at(block.header.number - 1n) ?? parent
}

/** The entry with a number on the way from another down to the genesis, that one included. */
export function entryBelow(highest: ChainEntry | undefined, number: bigint): ChainEntry | undefined {
  for (let entry = highest; entry !== undefined; entry = entry.parent) {
    let steps = Number(entry.block.header.number - number)
    // Without a leap the parent has the number before. Counting down is faster than comparing numbers of type bigint.
    for (; steps > 0 && entry.leap === undefined; steps--) {
      if (entry.parent === undefined) return undefined
      entry = entry.parent
    }
    if (steps === 0) return entry
    const leapt = entry.leap?.at(number)
    if (leapt !== undefined) return leapt
  }
  return undefined
}

function ancestorOf({ block }: ChainEntry): Ancestor {
  const { header, hash, uncles, totalDifficulty } = block
  const aux = isMergedMining(header) ? header.mergedMining.aux : undefined
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
    auxHeader: aux?.header ?? EMPTY_BYTES,
    mergedMiningTags: aux === undefined ? EMPTY_BYTES : bytesBehindHash(aux.coinbase),
    uncles,
  }
}
