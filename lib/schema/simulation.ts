/** Schemas of params and results of simulations: block overrides and eth_simulateV1. */

import * as z from 'zod'
import type { BlockOverrides } from '../chain/simulation/overrides.ts'
import { address, boolean, hash, map, optional, optionalWith, quantity, quantity64 } from './wire.ts'
import { seconds, slot } from './wire.ts'
import { transactionRequest, stateOverride } from './requests.ts'
import type { BlockRequest } from '../chain/simulation/block-plan.ts'
import { errorResult } from './error-results.ts'
import { blockObject, dataText, list, logObject, quantityText } from './results.ts'

/** Overrides that calls and simulated blocks have in common. */
const blockOverrideMembers = {
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
    EXPECTED,
  )
  .transform(({ coinbase, beaconRoot: _, withdrawals: __, feeRecipient = coinbase, ...rest }) => ({
    ...rest,
    feeRecipient,
  }))

const CALLS_EXPECTED = 'expected an array of at most 1000 calls'
const calls = z.array(transactionRequest, CALLS_EXPECTED).max(1000, CALLS_EXPECTED)

/** A withdrawal in params (execution-apis, `Withdrawal`). */
export const withdrawal = z.strictObject(
  {
    index: optionalWith(quantity64, '0x0'),
    validatorIndex: optionalWith(quantity64, '0x0'),
    address,
    /** Gwei. */
    amount: quantity64,
  },
  'expected a withdrawal: an object with index, validatorIndex, address and amount',
)

/** Members of a simulated block that a request sets. */
const simulationBlockOverrides = z.strictObject(
  { ...blockOverrideMembers, withdrawals: optional(z.array(withdrawal, 'expected an array of withdrawals')) },
  'expected an object with members of a block',
)

const blockStateCall: z.ZodType<BlockRequest> = z.strictObject(
  {
    blockOverrides: optional(simulationBlockOverrides),
    stateOverrides: optional(stateOverride),
    calls: optional(calls),
  },
  'expected a block: an object with blockOverrides, stateOverrides and calls',
)

const BLOCKS_EXPECTED = 'expected an array of 1 to 256 blocks'

/** The first param. */
export const simulationRequest = z.strictObject(
  {
    blockStateCalls: z
      .array(blockStateCall, BLOCKS_EXPECTED)
      .min(1, BLOCKS_EXPECTED)
      .max(256, BLOCKS_EXPECTED),
    traceTransfers: optional(boolean),
    validation: optional(boolean),
    returnFullTransactions: optional(boolean),
  },
  'expected an object with blockStateCalls',
)

const callError = errorResult.pick({ code: true, message: true, data: true, solidityStack: true })

const simulatedCall = z.strictObject({
  returnData: dataText,
  logs: z.array(logObject),
  gasUsed: quantityText,
  status: quantityText,
  error: callError.optional(),
})

/** A simulated block: a block with the result of each call. */
export const simulatedBlock = blockObject.extend({ calls: list(simulatedCall) })
