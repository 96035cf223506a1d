/** What blocks paid for gas, for clients that choose their fees by it (eth_feeHistory). */

import { networkBlobSchedule } from '../config/blob-schedule.ts'
import type { Network } from '../config/network.ts'
import { blobBaseFee } from '../evm/blob-gas.ts'
import { effectiveTip } from '../evm/transaction.ts'
import { blobGasUsedRatio, nextExcessBlobGas } from './blob-fields.ts'
import type { Block } from './block.ts'

/** Fees of a row of blocks, oldest first. */
export interface FeeHistory {
  /** Wei per gas of every block, and of the one after the newest; zeros on a network without a base fee. */
  readonly baseFees: readonly bigint[]
  /** Part of the gas limit that was used, from 0 to 1. */
  readonly gasUsedRatios: readonly number[]
  /** For every block the tip in wei per gas at each percentile, weighed by gas. */
  readonly rewards: readonly (readonly bigint[])[]
}

/** The fees of consecutive blocks and the base fee that follows, at rising percentiles, which go from 0 to 100. */
export function feeHistory(
  blocks: readonly Block[],
  followingBaseFee: bigint | undefined,
  percentiles: readonly number[],
): FeeHistory {
  return {
    baseFees: [...blocks.map(({ header }) => header.baseFeePerGas), followingBaseFee].map((fee) => fee ?? 0n),
    gasUsedRatios: blocks.map(({ header }) => Number(header.gasUsed) / Number(header.gasLimit)),
    rewards: blocks.map((block) => tipsAt(block, percentiles)),
  }
}

/**
 * Prices of blob gas of consecutive blocks and of the one after, and the parts of the blob gas that were used; zeros on a
 * network without blobs.
 */
export function blobFeeHistory(
  blocks: readonly Block[],
  network: Network,
): Pick<FeeHistory, 'baseFees' | 'gasUsedRatios'> {
  const schedule = networkBlobSchedule(network)
  const headers = blocks.map(({ header }) => header)
  const following = headers.slice(-1).map((newest) => nextExcessBlobGas(newest, schedule))
  return {
    baseFees: [...headers.map(({ excessBlobGas }) => excessBlobGas), ...following].map((excess) =>
      blobBaseFee(schedule, excess),
    ),
    gasUsedRatios: headers.map((header) => blobGasUsedRatio(header, schedule)),
  }
}

/**
 * Tips of a block in ascending order, read where so many percent of its gas lie below.
 * Zeros in a block without transactions (geth, eth/gasprice/feehistory.go).
 */
function tipsAt({ header, receipts }: Block, percentiles: readonly number[]): readonly bigint[] {
  const paid = receipts
    .map(({ transaction, outcome }) => ({
      tip: effectiveTip(transaction, header.baseFeePerGas ?? 0n),
      gasUsed: outcome.gasUsed,
    }))
    .sort((left, right) => (left.tip < right.tip ? -1 : left.tip > right.tip ? 1 : 0))
  return percentiles.map((percentile) => {
    const threshold = (Number(header.gasUsed) * percentile) / 100
    let below = 0
    const reached = paid.find(({ gasUsed }) => (below += Number(gasUsed)) >= threshold)
    return (reached ?? paid.at(-1))?.tip ?? 0n
  })
}
