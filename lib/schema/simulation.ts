/** Schemas of params and results of simulations: block overrides and eth_simulateV1. */

import * as z from 'zod'
import type { BlockOverrides } from '../chain/simulation/call-transaction.ts'
import { address, boolean, hash, map, optional, optionalWith, quantity, quantity64 } from './wire.ts'
import { seconds, slot } from './wire.ts'
import { transactionRequest, stateOverride } from './requests.ts'
import type { BlockRequest } from '../chain/simulation/block-simulator.ts'
import { errorResult } from './report-results.ts'
import { blockObject, dataText, list, logObject, quantityText } from './results.ts'

const blockHashes = map(quantity64, hash, {
  map: 'expected a map from block number to 32-byte hash',
  key: 'expected a block number',
})

const refused = (member: string) =>
  optional(z.undefined({ error: `block override "${member}" is not supported for this RPC method` }))

/**
 * Overrides that calls and simulated blocks have in common: the names of geth (internal/ethapi/override), which have priority, and
 * those of alloy (rpc-types-eth, BlockOverrides). `blockHash` is alloy's only.
 */
const blockOverrideMembers = z.strictObject(
  {
    number: optional(quantity64),
    blockNumber: optional(quantity64),
    time: optional(seconds),
    timestamp: optional(seconds),
    gasLimit: optional(quantity64),
    feeRecipient: optional(address),
    coinbase: optional(address),
    prevRandao: optional(slot),
    random: optional(slot),
    difficulty: optional(quantity),
    baseFeePerGas: optional(quantity),
    baseFee: optional(quantity),
    blobBaseFee: optional(quantity),
    blockHash: optional(blockHashes),
  },
  'expected an object with number, time, gasLimit, feeRecipient, prevRandao, difficulty, baseFeePerGas, blobBaseFee or blockHash',
)

/** Overrides by the names of geth. */
const withOneName = ({
  blockNumber,
  timestamp,
  coinbase,
  random,
  baseFee,
  ...overrides
}: z.output<typeof blockOverrideMembers>): BlockOverrides => ({
  ...overrides,
  number: overrides.number ?? blockNumber,
  time: overrides.time ?? timestamp,
  feeRecipient: overrides.feeRecipient ?? coinbase,
  prevRandao: overrides.prevRandao ?? random,
  baseFeePerGas: overrides.baseFeePerGas ?? baseFee,
})

export const blockOverrides: z.ZodType<BlockOverrides> = blockOverrideMembers
  .safeExtend({
    beaconRoot: refused('beaconRoot'),
    parentBeaconBlockRoot: refused('parentBeaconBlockRoot'),
    withdrawals: refused('withdrawals'),
  })
  .transform(withOneName)

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
const simulationBlockOverrides = blockOverrideMembers
  .safeExtend({
    beaconRoot: optional(hash),
    parentBeaconBlockRoot: optional(hash),
    withdrawals: optional(z.array(withdrawal, 'expected an array of withdrawals')),
  })
  .transform(({ withdrawals, parentBeaconBlockRoot, beaconRoot = parentBeaconBlockRoot, ...overrides }) => ({
    ...withOneName(overrides),
    withdrawals,
    beaconRoot,
  }))

const blockStateCall: z.ZodType<BlockRequest> = z.strictObject(
  {
    blockOverrides: optional(simulationBlockOverrides),
    stateOverrides: optional(stateOverride),
    calls: optional(z.array(transactionRequest, 'expected an array of calls')),
  },
  'expected a block: an object with blockOverrides, stateOverrides and calls',
)

const BLOCKS_EXPECTED = 'expected an array of blocks'

/** The first param. */
export const simulationRequest = z.strictObject(
  {
    blockStateCalls: z.array(blockStateCall, BLOCKS_EXPECTED).min(1, BLOCKS_EXPECTED),
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
  /** Without refunds. */
  maxUsedGas: quantityText,
  status: quantityText,
  error: callError.optional(),
})

/** A simulated block: a block with the result of each call. */
export const simulatedBlock = blockObject.extend({ calls: list(simulatedCall) })
