/** Schemas of params and result of eth_simulateV1. */

import * as z from 'zod'
import type { BlockRequest } from '../simulation/block-plan.ts'
import { blockOverrideMembers } from './block-overrides.ts'
import { solidityStack } from './explanation-results.ts'
import { address, boolean, optional, optionalWith, quantity64 } from './wire.ts'
import { stateOverride, transactionRequest } from './requests.ts'
import { blockObject, dataText, logObject, quantityText } from './results.ts'

/** A withdrawal in params (execution-apis, `Withdrawal`). */
export const withdrawal = z.strictObject(
  {
    index: optionalWith(quantity64, '0x0'),
    validatorIndex: optionalWith(quantity64, '0x0'),
    address,
    /** Gwei. */
    amount: quantity64,
  },
  { error: 'expected a withdrawal: an object with index, validatorIndex, address and amount' },
)

/** Members of a simulated block that a request sets. */
const simulationBlockOverrides = z.strictObject(
  {
    ...blockOverrideMembers,
    withdrawals: optional(z.array(withdrawal, { error: 'expected an array of withdrawals' })),
  },
  { error: 'expected an object with members of a block' },
)

const CALLS_EXPECTED = 'expected an array of at most 1000 calls'

const blockStateCall: z.ZodType<BlockRequest> = z.strictObject(
  {
    blockOverrides: optional(simulationBlockOverrides),
    stateOverrides: optional(stateOverride),
    calls: optional(z.array(transactionRequest, { error: CALLS_EXPECTED }).max(1000, CALLS_EXPECTED)),
  },
  { error: 'expected a block: an object with blockOverrides, stateOverrides and calls' },
)

const BLOCKS_EXPECTED = 'expected an array of 1 to 256 blocks'

/** The first param. */
export const simulationRequest = z.strictObject(
  {
    blockStateCalls: z
      .array(blockStateCall, { error: BLOCKS_EXPECTED })
      .min(1, BLOCKS_EXPECTED)
      .max(256, BLOCKS_EXPECTED),
    traceTransfers: optional(boolean),
    validation: optional(boolean),
    returnFullTransactions: optional(boolean),
  },
  { error: 'expected an object with blockStateCalls' },
)

/** A simulated block: a block with the result of each call. */
export const simulatedBlock = blockObject.extend({
  calls: z
    .array(
      z.strictObject({
        returnData: dataText,
        logs: z.array(logObject),
        gasUsed: quantityText,
        status: quantityText,
        error: z
          .strictObject({
            code: z.int(),
            message: z.string(),
            data: dataText.optional(),
            solidityStack: solidityStack.optional(),
          })
          .optional(),
      }),
    )
    .readonly(),
})
