/** Computes the fee history of blocks (eth_feeHistory). */

import { activeEips } from '../config/active-eips.ts'
import type { Network } from '../config/network.ts'
import { blobBaseFee, effectiveTip } from '../evm/transaction.ts'
import { blobGasUsedRatio, nextExcessBlobGas } from './fees.ts'
import type { Block } from './block.ts'

export interface FeeHistory {
  /** Wei per gas of every block and of the next one; zeros on a network without a base fee. */
  readonly baseFees: readonly bigint[]
  /** Gas used divided by the gas limit, from 0 to 1. */
  readonly gasUsedRatios: readonly number[]
  /** Per block, the tip in wei per gas at each percentile, weighted by gas; empty without percentiles. */
  readonly rewards: readonly (readonly bigint[])[]
}

/** The fees of consecutive blocks. The percentiles are ascending, from 0 to 100. */
export function feeHistory(
  blocks: readonly Block[],
  followingBaseFee: bigint | undefined,
  percentiles: readonly number[],
): FeeHistory {
  return {
    baseFees: [...blocks.map(({ header }) => header.baseFeePerGas), followingBaseFee].map((fee) => fee ?? 0n),
    gasUsedRatios: blocks.map(({ header }) => Number(header.gasUsed) / Number(header.gasLimit)),
    // Only tips need the receipts, which a fork may have to load.
    rewards: percentiles.length === 0 ? [] : blocks.map((block) => tipsAt(block, percentiles)),
  }
}

/** Blob base fees and ratios of used blob gas, as `feeHistory` returns them; zeros on a network without blobs. */
export function blobFeeHistory(
  blocks: readonly Block[],
  network: Network,
): Pick<FeeHistory, 'baseFees' | 'gasUsedRatios'> {
  const schedule = activeEips(network).blobs
  const headers = blocks.map(({ header }) => header)
  const following = headers.slice(-1).map((newest) => nextExcessBlobGas(newest, schedule))
  return {
    baseFees: [...headers.map(({ excessBlobGas }) => excessBlobGas), ...following].map((excess) =>
      blobBaseFee(schedule, excess),
    ),
    gasUsedRatios: headers.map((header) => blobGasUsedRatio(header, schedule)),
  }
}

/** Tips at each percentile of the gas, ascending; zeros without transactions (geth, eth/gasprice/feehistory.go). */
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
