/** Params of eth_callMany (erigon, reth). */

import * as z from 'zod'
import type { Bundle } from '../simulation/bundle-simulator.ts'
import { blockOverrides } from './block-overrides.ts'
import { blockRef } from './block-ref.ts'
import { optional, index } from './wire.ts'
import { transactionRequest } from './requests.ts'

const CALLS_EXPECTED = 'expected an array of at most 1000 calls'
const BUNDLES_EXPECTED = 'expected an array of at most 256 bundles'

const bundle = z.strictObject(
  {
    transactions: z.array(transactionRequest, { error: CALLS_EXPECTED }).max(1000, CALLS_EXPECTED),
    blockOverride: optional(blockOverrides),
  },
  { error: 'expected a bundle: an object with transactions and blockOverride' },
)

/** The first param. */
export const bundles: z.ZodType<readonly Bundle[]> = z
  .array(bundle, { error: BUNDLES_EXPECTED })
  .max(256, BUNDLES_EXPECTED)

const POSITION_EXPECTED = 'expected a position in the block, or -1 for its end'

/** -1, the default, is the end of the block. */
const position = z.union([z.literal(-1).transform(() => undefined), index], { error: POSITION_EXPECTED })

/** The second param: the block, and the transaction before which the calls run. */
export const stateContext = z.strictObject(
  { blockNumber: optional(blockRef), transactionIndex: optional(position) },
  { error: 'expected an object with blockNumber and transactionIndex' },
)
