/** Block overrides: members of the block of a call that a client sets for the call. */

import * as z from 'zod'
import type { BlockOverrides } from '../simulation/overrides.ts'
import { address, hash, map, optional, quantity, quantity64, seconds, slot } from './wire.ts'

/** Overrides that calls and simulated blocks have in common. */
export const blockOverrideMembers = {
  number: optional(quantity64),
  time: optional(seconds),
  gasLimit: optional(quantity64),
  feeRecipient: optional(address),
  prevRandao: optional(slot),
  difficulty: optional(quantity),
  baseFeePerGas: optional(quantity),
  blobBaseFee: optional(quantity),
}

const blockHashes = map(quantity64, hash, {
  map: 'expected a map from block number to 32-byte hash',
  key: 'expected a block number',
})

const refused = (member: string) =>
  optional(z.undefined({ error: `block override "${member}" is not supported for this RPC method` }))

const EXPECTED =
  'expected an object with number, time, gasLimit, feeRecipient, prevRandao, difficulty, baseFeePerGas, blobBaseFee or blockHash'

/**
 * Block overrides of a call (geth, internal/ethapi/override; `blockHash` is Erigon's and alloy's).
 * `coinbase` is alloy's name for `feeRecipient`; `feeRecipient` has priority.
 */
export const blockOverrides: z.ZodType<BlockOverrides> = z
  .strictObject(
    {
      ...blockOverrideMembers,
      coinbase: optional(address),
      blockHash: optional(blockHashes),
      beaconRoot: refused('beaconRoot'),
      withdrawals: refused('withdrawals'),
    },
    { error: EXPECTED },
  )
  .transform(({ coinbase, beaconRoot: _, withdrawals: __, feeRecipient = coinbase, ...rest }) => ({
    ...rest,
    feeRecipient,
  }))
