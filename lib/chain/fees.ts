/** Fees and gas limits from block to block. */

import type { Header } from './header-fields.ts'
import type { Network } from '../config/network.ts'

/** The gas target is the limit over this (EIP-1559). */
const ELASTICITY_MULTIPLIER = 2n

/** The base fee moves by at most one part in so many (EIP-1559). */
const BASE_FEE_CHANGE_DENOMINATOR = 8n

/**
 * Base fee the next block must carry, in wei (EIP-1559).
 * Absent when the parent has none.
 */
export function nextBaseFee(parent: Header): bigint | undefined {
  const { baseFeePerGas: fee, gasUsed, gasLimit } = parent
  if (fee === undefined) return undefined
  const target = gasLimit / ELASTICITY_MULTIPLIER
  if (gasUsed === target || target === 0n) return fee
  const distance = gasUsed > target ? gasUsed - target : target - gasUsed
  const change = (fee * distance) / target / BASE_FEE_CHANGE_DENOMINATOR
  if (gasUsed < target) return fee - change
  return fee + (change > 0n ? change : 1n)
}

/** Wei per gas offered on top of the base fee by whoever names no fees. */
export const DEFAULT_TIP = 1_000_000_000n

/** Wei per gas that a transaction in this block pays when it names no fees. */
export function usualGasPrice({
  baseFeePerGas,
  minimumGasPrice,
}: {
  readonly baseFeePerGas?: bigint | undefined
  readonly minimumGasPrice: bigint
}): bigint {
  return baseFeePerGas === undefined ? minimumGasPrice : baseFeePerGas + DEFAULT_TIP
}

/** The gas limit moves by at most one part in so many (Yellow Paper, 4.4.4; node-chain 8.6). */
const GAS_LIMIT_CHANGE_DENOMINATOR = 1024n

/** Gas limit of the next block: that of the parent, moved towards the network's as far as blocks may. */
export function nextGasLimit({ gasLimit }: Pick<Header, 'gasLimit'>, network: Network): bigint {
  const most = gasLimit / GAS_LIMIT_CHANGE_DENOMINATOR
  // Ethereum wants less than that part, merged-mining networks no more than it.
  return moved(gasLimit, network.blockGasLimit, network.kind === 'ethereum' ? most - 1n : most)
}

/** The minimum gas price moves by at most one part in so many, and at most by one wei where that is less (node-chain 8.5). */
const MINIMUM_PRICE_CHANGE_DENOMINATOR = 100n

/** Wei per gas below which the next block takes no transaction. */
export function nextMinimumGasPrice(
  { minimumGasPrice }: Pick<Header, 'minimumGasPrice'>,
  network: Network,
): bigint {
  const most = minimumGasPrice / MINIMUM_PRICE_CHANGE_DENOMINATOR
  return moved(minimumGasPrice, network.minimumGasPriceTarget, most > 1n ? most : 1n)
}

/**
 * Least wei per gas of a transaction that enters the pool on top of a head.
 * The reference asks for the head's minimum alone, and then never mines what does not reach that of the next block.
 */
export function acceptedGasPrice(head: MinimumPriced, next: MinimumPriced): bigint {
  return next.minimumGasPrice > head.minimumGasPrice ? next.minimumGasPrice : head.minimumGasPrice
}

/** A block as far as its least gas price goes. */
type MinimumPriced = Pick<Header, 'minimumGasPrice'>

/** A block takes no gas price above so many times its minimum (IP-252; node-chain 6.12). */
const BLOCK_PRICE_CAP = 100n

/** The pool is stricter than blocks are, for the minimum may fall (node-chain 7.5). */
const POOL_PRICE_CAP = 80n

/** Most wei per gas that the pool takes on a merged-mining network; absent without a minimum gas price. */
export function poolPriceCap({ minimumGasPrice }: Pick<Header, 'minimumGasPrice'>): bigint | undefined {
  return minimumGasPrice === 0n ? undefined : POOL_PRICE_CAP * minimumGasPrice
}

/** Most wei per gas that a block of a merged-mining network takes; absent without a minimum gas price. */
export function blockPriceCap({ minimumGasPrice }: Pick<Header, 'minimumGasPrice'>): bigint | undefined {
  return minimumGasPrice === 0n ? undefined : BLOCK_PRICE_CAP * minimumGasPrice
}

/** The value, closer to the target by no more than a step. */
function moved(value: bigint, target: bigint, step: bigint): bigint {
  if (value < target) return value + step < target ? value + step : target
  return value - step > target ? value - step : target
}
