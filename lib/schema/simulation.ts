/** What eth_simulateV1 is asked for, and what it answers. */

import * as z from 'zod'
import { callRequest, stateOverrides } from './requests.ts'
import { blockObject, dataText, logObject, quantityText } from './results.ts'
import { withdrawal } from './withdrawals.ts'
import { address, boolean, quantity, quantity64, seconds, slot } from './wire.ts'

/** JSON `null` means absent. */
const absentable = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === null ? undefined : value), schema.optional())

const FEE_REFUSED = 'blobBaseFee is not supported: blobs are refused'

const blockOverrides = z
  .strictObject(
    {
      number: absentable(quantity64),
      time: absentable(seconds),
      gasLimit: absentable(quantity64),
      feeRecipient: absentable(address),
      prevRandao: absentable(slot),
      difficulty: absentable(quantity),
      baseFeePerGas: absentable(quantity),
      blobBaseFee: absentable(z.undefined({ error: FEE_REFUSED })),
      withdrawals: absentable(z.array(withdrawal, { error: 'expected an array of withdrawals' })),
    },
    { error: 'expected an object with members of a block' },
  )
  .transform(({ blobBaseFee: _, ...block }) => block)

const CALLS_EXPECTED = 'expected an array of at most 1000 calls'

const blockStateCall = z
  .strictObject(
    {
      blockOverrides: absentable(blockOverrides),
      stateOverrides: absentable(stateOverrides),
      calls: absentable(z.array(callRequest, { error: CALLS_EXPECTED }).max(1000, CALLS_EXPECTED)),
    },
    { error: 'expected a block: an object with blockOverrides, stateOverrides and calls' },
  )
  .transform(({ blockOverrides: block = {}, stateOverrides: overrides = new Map(), calls = [] }) => ({
    block,
    overrides,
    calls,
  }))

const BLOCKS_EXPECTED = 'expected an array of 1 to 256 blocks'

/** The first param. */
export const simulationRequest = z
  .strictObject(
    {
      blockStateCalls: z
        .array(blockStateCall, { error: BLOCKS_EXPECTED })
        .min(1, BLOCKS_EXPECTED)
        .max(256, BLOCKS_EXPECTED),
      traceTransfers: absentable(boolean),
      validation: absentable(boolean),
      returnFullTransactions: absentable(boolean),
    },
    { error: 'expected an object with blockStateCalls' },
  )
  .transform(({ traceTransfers = false, validation = false, returnFullTransactions = false, ...rest }) => ({
    blocks: rest.blockStateCalls,
    mode: { isValidated: validation, showsTransfers: traceTransfers },
    isFull: returnFullTransactions,
  }))

/** A simulated block: that of any other, and what became of each call. */
export const simulatedBlock = blockObject.extend({
  calls: z
    .array(
      z.strictObject({
        returnData: dataText,
        logs: z.array(logObject),
        gasUsed: quantityText,
        status: quantityText,
        error: z.strictObject({ code: z.int(), message: z.string(), data: dataText.optional() }).optional(),
      }),
    )
    .readonly(),
})
