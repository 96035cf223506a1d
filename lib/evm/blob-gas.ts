/** Computes the gas of blobs and its price (EIP-4844). chain/fees.ts computes the excess of the next block. */

import type { BlobSchedule } from '../config/eip-changes.ts'

/** Blob gas of a blob (GAS_PER_BLOB). */
export const GAS_PER_BLOB = 131_072n

/** Minimum wei per blob gas (MIN_BASE_FEE_PER_BLOB_GAS). */
export const MIN_BLOB_BASE_FEE = 1n

/** The members of a transaction that concern blobs. */
interface Blobs {
  readonly blobVersionedHashes?: readonly unknown[] | undefined
}

/** Number of blobs of a transaction. */
export const blobCount = ({ blobVersionedHashes = [] }: Blobs): number => blobVersionedHashes.length

export const blobGas = (transaction: Blobs): bigint => BigInt(blobCount(transaction)) * GAS_PER_BLOB

/** Wei per blob gas in a block with this excess; zero if the network has no blobs. */
export function blobBaseFee(schedule: BlobSchedule | undefined, excessBlobGas = 0n): bigint {
  if (schedule === undefined) return 0n
  // The minimum times e to the power of a fraction, by a Taylor series in integers (fake_exponential).
  const { baseFeeUpdateFraction: denominator } = schedule
  let sum = 0n
  let term = MIN_BLOB_BASE_FEE * denominator
  for (let index = 1n; term > 0n; index++) {
    sum += term
    term = (term * excessBlobGas) / (denominator * index)
  }
  return sum / denominator
}
