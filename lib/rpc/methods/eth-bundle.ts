/** The method that runs a bundle of signed transactions (Flashbots, "eth_callBundle"; alloy, EthCallBundle). */

import * as z from 'zod'
import { fromHex, toHash, toHex, type Hash } from '../../base/hex.ts'
import type { BundledReceipt } from '../../chain/simulation/bundle.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { blockRef } from '../../schema/requests.ts'
import { addressText, count, dataText, hashText, text } from '../../schema/results.ts'
import { address, data, optional, optionalWith, quantity, quantity64, seconds } from '../../schema/wire.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { SENT } from './examples.ts'
import { UNMINED_ERRORS } from './params.ts'

const TRANSACTIONS_EXPECTED = 'expected an array of 1 to 1000 signed transactions'

/** The bundle and the block to run it in. */
const bundleRequest = z.strictObject(
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
const bundleResult = z.strictObject({
  ...payments,
  bundleHash: hashText,
  bundleGasPrice: wei,
  results: z.array(bundledTransaction),
  stateBlockNumber: count,
  totalGasUsed: count,
})

export const callBundle = readMethod({
  name: 'eth_callBundle',
  summary:
    'Runs signed transactions in a block of their own on top of a block, and returns what each used and paid. Amounts of wei are decimal strings; `revert` is the return data of a revert.',
  params: [
    param(
      'bundle',
      bundleRequest,
      'txs, blockNumber and stateBlockNumber; timestamp, coinbase, gasLimit, difficulty and baseFee of the block.',
    ),
  ],
  result: bundleResult,
  errors: ['unknownBlock', ...UNMINED_ERRORS],
  example: { params: [{ txs: [SENT.raw], blockNumber: '0x1', stateBlockNumber: 'latest' }] },
  *run({ bundle: request }, node) {
    const { blockNumber: number, timestamp: time, coinbase: feeRecipient, baseFee: baseFeePerGas } = request
    const transactions = request.txs.map((encoded) => node.codec.decode(encoded))
    const parent = node.blockResolver.entryAt(request.stateBlockNumber)
    const { gasLimit, difficulty } = request
    const overrides = { number, time, feeRecipient, gasLimit, difficulty, baseFeePerGas }
    const [bundle, timer] = [node.bundleOn(parent, overrides), node.startCallTimer()]
    const receipts: BundledReceipt[] = []
    for (const transaction of transactions) receipts.push(yield* bundle.run(transaction, timer))
    const total = (of: (receipt: BundledReceipt) => bigint) =>
      receipts.reduce((sum, one) => sum + of(one), 0n)
    const sums = {
      gasUsed: total(({ outcome }) => outcome.gasUsed),
      gasFees: total(({ gasFees }) => gasFees),
      coinbaseDiff: total(({ coinbaseDiff }) => coinbaseDiff),
      sentToCoinbase: total(({ sentToCoinbase }) => sentToCoinbase),
    }
    const { gasPrice: bundleGasPrice, ...payments } = paymentsOf(sums)
    return {
      ...payments,
      bundleHash: bundleHash(transactions),
      bundleGasPrice,
      results: receipts.map(renderReceipt),
      stateBlockNumber: parent.number,
      totalGasUsed: Number(sums.gasUsed),
    }
  },
})

/** Hash of a bundle: that of the hashes of its transactions in a row (Flashbots, mev-geth). */
const bundleHash = (transactions: readonly Transaction[]): Hash =>
  toHash(keccak256(Buffer.concat(transactions.map(({ hash }) => fromHex(hash)))))

function renderReceipt(receipt: BundledReceipt) {
  const { transaction, outcome } = receipt
  const returned = toHex(outcome.returnData)
  const { status, exception, gasUsed } = outcome
  return {
    ...paymentsOf({ ...receipt, gasUsed }),
    txHash: transaction.hash,
    fromAddress: transaction.sender,
    toAddress: transaction.to ?? null,
    gasUsed: Number(gasUsed),
    ...(status === 'success' ? { value: returned } : { error: exception ?? 'execution reverted' }),
    ...(status === 'reverted' ? { revert: returned } : {}),
  }
}

type Payments = Pick<BundledReceipt, 'gasFees' | 'coinbaseDiff' | 'sentToCoinbase'> & {
  readonly gasUsed: bigint
}

const paymentsOf = ({ gasFees, coinbaseDiff, sentToCoinbase, gasUsed }: Payments) => ({
  coinbaseDiff: String(coinbaseDiff),
  ethSentToCoinbase: String(sentToCoinbase),
  gasFees: String(gasFees),
  /** What the coinbase gets per gas. A free call of the Bridge uses none. */
  gasPrice: String(gasUsed === 0n ? 0n : coinbaseDiff / gasUsed),
})
