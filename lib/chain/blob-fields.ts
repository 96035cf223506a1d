/** Computes the blob fields of a header from those of its parent (EIP-4844 and 7918). */

import { networkBlobSchedule } from '../config/active-eips.ts'
import type { BlobSchedule } from '../config/eips.ts'
import type { Network } from '../config/network.ts'
import { GAS_PER_BLOB, blobBaseFee, blobGas } from '../evm/blob-gas.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { Header } from '../consensus/header-fields.ts'

type BlobFields = Pick<Header, 'blobGasUsed' | 'excessBlobGas'>

/** Execution gas whose price is the minimum price of a blob (BLOB_BASE_COST of EIP-7918). */
const BLOB_BASE_COST = 8192n

/** The blob fields of a block with these transactions; empty if the hard fork has no blobs. */
export function blobFields(
  network: Network,
  excessBlobGas: bigint | undefined,
  transactions: readonly Transaction[],
): BlobFields {
  if (networkBlobSchedule(network) === undefined) return {}
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
export function blobGasUsedRatio({ blobGasUsed = 0n }: Header, schedule: BlobSchedule | undefined): number {
  return schedule === undefined ? 0 : Number(blobGasUsed) / Number(BigInt(schedule.max) * GAS_PER_BLOB)
}
