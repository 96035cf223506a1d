/** Blob limits and blob price rules by hard fork (EIP-4844, 7594, 7691, 7892 and 7918). */

import { HARDFORKS, byHardfork, isForkSince } from './hardfork.ts'
import type { Hardfork } from './hardfork.ts'
import type { Network } from './network.ts'
import { blockForkOf } from './network-traits.ts'

/** Blob rules of a hard fork. */
export interface BlobSchedule {
  /** Number of blobs per block at which the price does not change. */
  readonly target: number
  /** Maximum number of blobs per block. */
  readonly max: number
  /** Maximum number of blobs per transaction. */
  readonly maxPerTransaction: number
  /** Excess blob gas for which the price grows by the factor e (BLOB_BASE_FEE_UPDATE_FRACTION). */
  readonly baseFeeUpdateFraction: bigint
  /** Whether the price falls only while it is above a part of the base fee (EIP-7918). */
  readonly hasReservePrice: boolean
  /** Version of the sidecars that the fork brought: 1 has a proof for each cell (EIP-7594). */
  readonly sidecarVersion: 0 | 1
}

const CANCUN: BlobSchedule = {
  target: 3,
  max: 6,
  maxPerTransaction: 6,
  baseFeeUpdateFraction: 3_338_477n,
  hasReservePrice: false,
  sidecarVersion: 0,
}

/** EIP-7691. */
const PRAGUE: BlobSchedule = {
  ...CANCUN,
  target: 6,
  max: 9,
  maxPerTransaction: 9,
  baseFeeUpdateFraction: 5_007_716n,
}

/** EIP-7594 and 7918; limits are those of Prague until a blob parameter fork changes them (EIP-7892). */
const OSAKA: BlobSchedule = { ...PRAGUE, maxPerTransaction: 6, hasReservePrice: true, sidecarVersion: 1 }

/** The schedules, by the fork that introduced them. */
const SCHEDULES: Readonly<Partial<Record<Hardfork, BlobSchedule>>> = {
  cancun: CANCUN,
  prague: PRAGUE,
  osaka: OSAKA,
}

/** The blob schedule of a hard fork; absent before cancun. */
export const blobScheduleOf = byHardfork((hardfork): BlobSchedule | undefined => {
  const known = HARDFORKS.filter((fork) => isForkSince(hardfork, fork))
  return known.map((fork) => SCHEDULES[fork]).findLast((schedule) => schedule !== undefined)
})

/** The blob schedule of a network; absent if its blocks have no blobs. */
export const networkBlobSchedule = (
  network: Pick<Network, 'blockFork' | 'hardfork'>,
): BlobSchedule | undefined => blobScheduleOf(blockForkOf(network))
