/** Computes fees, gas limit and blob fields of the next block. networks/consensus/admission.ts has the maximum gas prices. */

import type { Network } from '../config/network.ts'
import type { Header } from '../networks/consensus/consensus.ts'
import { activeEips } from '../config/active-eips.ts'
import type { BlobSchedule } from '../config/eip-changes.ts'
import { GAS_PER_BLOB, blobBaseFee, blobGas, type Transaction } from '../evm/transaction.ts'

/** Gas limit divided by gas target (EIP-1559). */
const ELASTICITY_MULTIPLIER = 2n

/** The base fee changes by at most 1/8 per block (EIP-1559). */
const BASE_FEE_CHANGE_DENOMINATOR = 8n

/** Base fee of the next block, in wei (EIP-1559); absent if the parent has none. Minimum gas prices fix it (IP-546). */
export function nextBaseFee(parent: Header): bigint | undefined {
  const { baseFeePerGas: fee, gasUsed, gasLimit } = parent
  if (fee === undefined || parent.consensus.hasMinimumGasPrice) return fee
  const target = gasLimit / ELASTICITY_MULTIPLIER
  if (gasUsed === target || target === 0n) return fee
  const distance = gasUsed > target ? gasUsed - target : target - gasUsed
  const change = (fee * distance) / target / BASE_FEE_CHANGE_DENOMINATOR
  if (gasUsed < target) return fee - change
  return fee + (change > 0n ? change : 1n)
}

/** Default priority fee of a transaction without fee fields, in wei per gas. */
export const DEFAULT_TIP = 1_000_000_000n

/** The gas limit changes by at most 1/1024 per block (Yellow Paper, 4.4.4; node-chain 8.6). */
const GAS_LIMIT_CHANGE_DENOMINATOR = 1024n

/** Gas limit of the next block: the parent's gas limit, moved towards that of the network by at most the allowed change. */
export function nextGasLimit({ gasLimit }: Pick<Header, 'gasLimit'>, network: Network): bigint {
  // A remote block of a network without gas limits.
  if (gasLimit === 0n) return network.blockGasLimit
  const bound = gasLimit / GAS_LIMIT_CHANGE_DENOMINATOR
  return moveTowards(gasLimit, network.blockGasLimit, bound - network.kind.consensus.gasLimitMargin)
}

/** The minimum gas price changes by at most 1/100 per block, but by at least 1 wei (node-chain 8.5). */
const MINIMUM_PRICE_CHANGE_DENOMINATOR = 100n

/** Minimum gas price of the next block, in wei. */
export function nextMinimumGasPrice(
  { minimumGasPrice }: Pick<Header, 'minimumGasPrice'>,
  network: Network,
): bigint {
  const step = minimumGasPrice / MINIMUM_PRICE_CHANGE_DENOMINATOR
  return moveTowards(minimumGasPrice, network.minimumGasPriceTarget ?? minimumGasPrice, step > 1n ? step : 1n)
}

/** The minimum gas price in wei that both the pool (by the head's minimum) and the next block accept. */
export const acceptedGasPrice = (head: MinimumPriced, next: MinimumPriced): bigint =>
  next.minimumGasPrice > head.minimumGasPrice ? next.minimumGasPrice : head.minimumGasPrice

type MinimumPriced = Pick<Header, 'minimumGasPrice'>

function moveTowards(value: bigint, target: bigint, step: bigint): bigint {
  if (value < target) return value + step < target ? value + step : target
  return value - step > target ? value - step : target
}

/** Number of lists that share the gas of a block: two parallel lists, and a sequential list that runs after them. */
const LISTS = 3n

/**
 * Gas that the transactions of a block share, and that one of them may use alone: the block's gas limit, or the gas of the
 * sequential list where the network divides it. Our blocks put all transactions into that list, which the network accepts.
 * The list gets at least its minimum, or all gas if there is less.
 */
export function gasForTransactions(
  { sequentialGas: minimum }: Pick<Network, 'sequentialGas'>,
  { gasLimit }: Pick<Header, 'gasLimit'>,
): bigint {
  if (minimum === undefined || gasLimit <= minimum) return gasLimit
  const third = gasLimit / LISTS
  const parallel = third >= minimum ? third : (gasLimit - minimum) / 2n
  return gasLimit - 2n * parallel
}

/** Execution gas whose price is the minimum price of a blob (EIP-7918). */
const BLOB_BASE_COST = 8192n

/** The blob fields of a block with these transactions; empty if the hard fork has no blobs. */
export function blobFields(
  network: Network,
  excessBlobGas: bigint | undefined,
  transactions: readonly Transaction[],
): Pick<Header, 'blobGasUsed' | 'excessBlobGas'> {
  if (activeEips(network).blobs === undefined) return {}
  const blobGasUsed = transactions.reduce((total, transaction) => total + blobGas(transaction), 0n)
  return { blobGasUsed, excessBlobGas: excessBlobGas ?? 0n }
}

/** Excess blob gas of the child of a block (EIP-4844); absent if the hard fork has no blobs. */
export function nextExcessBlobGas(
  parent: Pick<Header, 'blobGasUsed' | 'excessBlobGas' | 'baseFeePerGas'>,
  schedule: BlobSchedule | undefined,
): bigint | undefined {
  if (schedule === undefined) return undefined
  const { blobGasUsed = 0n, excessBlobGas = 0n, baseFeePerGas = 0n } = parent
  const target = BigInt(schedule.target) * GAS_PER_BLOB
  if (excessBlobGas + blobGasUsed < target) return 0n
  const isBelowReserve =
    schedule.hasReservePrice &&
    BLOB_BASE_COST * baseFeePerGas > GAS_PER_BLOB * blobBaseFee(schedule, excessBlobGas)
  if (!isBelowReserve) return excessBlobGas + blobGasUsed - target
  return excessBlobGas + (blobGasUsed * BigInt(schedule.max - schedule.target)) / BigInt(schedule.max)
}

/** Blob gas of a block divided by the maximum, from 0 to 1. */
export const blobGasUsedRatio = ({ blobGasUsed = 0n }: Header, schedule: BlobSchedule | undefined): number =>
  schedule === undefined ? 0 : Number(blobGasUsed) / Number(BigInt(schedule.max) * GAS_PER_BLOB)
