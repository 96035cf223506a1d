/** Schemas of eth_callBundle (Flashbots, "eth_callBundle"; alloy, EthCallBundle). */

import * as z from 'zod'
import { blockRef } from './requests.ts'
import { addressText, count, dataText, hashText, text } from './results.ts'
import { address, data, optional, optionalWith, quantity, quantity64, seconds } from './wire.ts'

const TRANSACTIONS_EXPECTED = 'expected an array of 1 to 1000 signed transactions'

/** The bundle and the block to run it in. */
export const bundleRequest = z.strictObject(
  {
    txs: z.array(data, TRANSACTIONS_EXPECTED).min(1, TRANSACTIONS_EXPECTED).max(1000, TRANSACTIONS_EXPECTED),
    blockNumber: quantity64,
    stateBlockNumber: optionalWith(blockRef, 'latest'),
    timestamp: optional(seconds),
    coinbase: optional(address),
    gasLimit: optional(quantity64),
    difficulty: optional(quantity),
    baseFee: optional(quantity),
    /** Milliseconds; the limit of the node applies. */
    timeout: optional(quantity64),
  },
  'expected an object with txs, blockNumber, stateBlockNumber, timestamp, coinbase, gasLimit, difficulty, baseFee and timeout',
)

/** A decimal number of wei. */
const wei = z.string().regex(/^-?\d+$/)

const payments = { coinbaseDiff: wei, ethSentToCoinbase: wei, gasFees: wei }

const bundledTransaction = z.strictObject({
  ...payments,
  txHash: hashText,
  fromAddress: addressText,
  toAddress: addressText.nullable(),
  gasPrice: wei,
  gasUsed: count,
  /** Return data, if the transaction succeeded. */
  value: dataText.optional(),
  error: text.optional(),
  /** Return data, if the transaction reverted. */
  revert: dataText.optional(),
})

/** The results of a bundle. Amounts of wei are decimal strings. */
export const bundleResult = z.strictObject({
  ...payments,
  bundleHash: hashText,
  bundleGasPrice: wei,
  results: z.array(bundledTransaction),
  stateBlockNumber: count,
  totalGasUsed: count,
})
