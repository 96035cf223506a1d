/**
 * Methods that execute calls, simulate blocks of them, or run bundles of signed transactions (Flashbots, "eth_callBundle"; alloy,
 * EthCallBundle), and discard their state changes.
 */

import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import { toHex, toQuantity, fromHex, toHash, type Hash } from '../../base/hex.ts'
import { waitFor, type Routine } from '../../base/routine.ts'
import type { Block } from '../../chain/block.ts'
import type { SimulatedCall, BundledReceipt } from '../../chain/simulation/block-simulator.ts'
import { checkMembers } from '../../chain/simulation/transaction-request.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { solidityStack } from '../../schema/explanation-results.ts'
import type { WireError } from '../../schema/report-results.ts'
import { blockRef } from '../../schema/requests.ts'
import {
  accessList,
  dataText,
  quantityText,
  text,
  addressText,
  count,
  hashText,
} from '../../schema/results.ts'
import { blockOverrides, simulatedBlock, simulationRequest } from '../../schema/simulation.ts'
import { optional, optionalWith, address, data, quantity, quantity64, seconds } from '../../schema/wire.ts'
import { logSimulated, logCalls, estimateFailureOf, failureOf, wireErrorOf } from '../failed-executions.ts'
import type { ExplainingChain } from '../failed-executions.ts'
import { renderBlock, renderLog } from '../render/block.ts'
import {
  COW,
  COW1,
  EXECUTION_ERRORS,
  execution,
  executionBlock,
  stateOverrides,
  TRANSFER,
  SENT,
  UNMINED_ERRORS,
} from './params.ts'
import type { Node } from '../../node/node.ts'

/** A chain that executes calls and explains why they failed. */
type CallingChain = ExplainingChain & Pick<Node, 'blockResolver' | 'customErrors' | 'network' | 'simulator'>

const ofBlock = param(
  'blockOverrides',
  optional(blockOverrides),
  'Changes to the block for the call, as in geth.',
)
const transfer = { to: COW1, value: '0x1' }

export const call = readMethod({
  name: 'eth_call',
  summary: 'Executes a call on the state after a block and returns its return data.',
  params: [execution, executionBlock, stateOverrides, ofBlock],
  result: dataText,
  errors: [...EXECUTION_ERRORS, 'reverted', 'executionFailed'],
  example: { params: [transfer, 'latest'], result: '0x' },
  *run(params, node: CallingChain & Pick<Node, 'modules' | 'namedContracts'>, context) {
    const { blockResolver, simulator, startCallTimer, modules, namedContracts } = node
    const { transaction: request, block, overrides, blockOverrides } = params
    if (node.network.isStrict) checkMembers(request)
    const changes = { stateOverrides: overrides, blockOverrides, checksFunds: context.dialect !== 'hardhat' }
    const resolved = simulator.hold(blockResolver.at(block))
    const outcome = yield* simulator.call(resolved, request, changes, startCallTimer())
    const prepare = () => simulator.prepare(resolved, request, changes)
    logSimulated(context, node, { kind: 'call', request, outcome, block: resolved.block, prepare })
    if (outcome.status !== 'success') throw failureOf(outcome)
    modules.callEnded({ request, outcome, state: resolved.state, namedContracts })
    return toHex(outcome.returnData)
  },
})

export const estimateGas = readMethod({
  name: 'eth_estimateGas',
  summary:
    'The minimum gas with which a transaction succeeds. A revert gives the error of eth_call, with its data; any other failure is -32000, except that a failed execution is as in eth_call in the dialect hardhat.',
  params: [
    execution,
    param('block', optionalWith(blockRef, 'pending'), 'State and block to execute in; pending if left out.'),
    stateOverrides,
    ofBlock,
  ],
  result: quantityText,
  errors: ['unknownBlock', 'reverted', 'executionFailed', 'estimationFailed', 'callTimeout'],
  example: { params: [{ ...transfer, from: COW }], result: '0x5208' },
  *run(params, node: CallingChain & Pick<Node, 'options'>, context) {
    const { transaction, block, overrides, blockOverrides } = params
    const { blockResolver, simulator, startCallTimer } = node
    const request = node.network.estimatesFreely ? { ...transaction, gas: undefined } : transaction
    if (node.network.isStrict) checkMembers(request)
    const resolved = simulator.hold(blockResolver.at(block))
    const changes = { stateOverrides: overrides, blockOverrides, checksFunds: context.dialect !== 'hardhat' }
    const { gas, outcome } = yield* orEstimationFailure(() =>
      simulator.estimate(resolved, request, changes, startCallTimer()),
    )
    const prepare = () => simulator.prepareEstimate(resolved, request, changes)
    logSimulated(context, node, { kind: 'estimate', request, outcome, block: resolved.block, prepare })
    if (gas !== undefined) return toQuantity(gas)
    throw estimateFailureOf(outcome, context.dialect)
  },
})

/** Errors before and during the execution, except the timeout, get the code of failed estimates (service spec, "Errors"). */
function* orEstimationFailure<T>(estimate: () => Routine<T>): Routine<T> {
  try {
    return yield* estimate()
  } catch (error) {
    if (!(error instanceof NodeError) || error.kind === 'callTimeout') throw error
    const hardhat = error.details.phrases?.hardhat
    throw new NodeError('estimationFailed', error.message, { phrases: { hardhat }, cause: error })
  }
}

export const createAccessList = readMethod({
  name: 'eth_createAccessList',
  summary:
    'The accounts and slots that a transaction accesses, and the gas it uses with that list (EIP-2930). Slots of the called contract are in the list, although fewer than 24 of them save no gas.',
  params: [execution, executionBlock, stateOverrides],
  result: z.strictObject({
    accessList,
    gasUsed: quantityText,
    /** Why the execution failed. */
    error: text.optional(),
    solidityStack: solidityStack.optional(),
  }),
  errors: EXECUTION_ERRORS,
  example: { params: [transfer], result: { accessList: [], gasUsed: '0x5208' } },
  *run({ transaction: request, block, overrides }, node: CallingChain, context) {
    const { simulator } = node
    const [resolved, timer] = [simulator.hold(node.blockResolver.at(block)), node.startCallTimer()]
    const changes = { stateOverrides: overrides, checksFunds: context.dialect !== 'hardhat' }
    const created = yield* simulator.createAccessList(resolved, request, changes, timer)
    const { accessList: fitting, outcome } = created
    const listed = { ...request, accessList: fitting }
    const prepare = () => simulator.prepare(resolved, listed, changes)
    logSimulated(context, node, { kind: 'call', request, outcome, block: resolved.block, prepare })
    const result = { accessList: fitting, gasUsed: toQuantity(outcome.gasUsed) }
    if (outcome.status === 'success') return result
    const explained = yield* waitFor(context.explainedFailures())
    const error = yield* waitFor(wireErrorOf(outcome, node, context.dialect, explained))
    return { ...result, error: error?.message, solidityStack: error?.solidityStack }
  },
})

type SimulatedBlockObject = z.input<typeof simulatedBlock>

export const simulateV1 = readMethod({
  name: 'eth_simulateV1',
  summary:
    'Runs blocks of calls on top of a block, each with overrides of the block and of accounts, and returns the blocks with the result of each call. Without `validation` nonces, fees and code of senders are not checked; with `traceTransfers` transfers of the native coin are among the logs.',
  params: [
    param('simulation', simulationRequest, 'Blocks of calls, as blockStateCalls, and how to run them.'),
    param('block', optionalWith(blockRef, 'latest'), 'Parent of the first block; latest if left out.'),
  ],
  result: z.array(simulatedBlock),
  errors: [
    'unknownBlock',
    'blockNumberOrder',
    'blockTimeOrder',
    'limitExceeded',
    'nonceTooLow',
    'nonceTooHigh',
    'insufficientFunds',
    'intrinsicGasTooLow',
    'gasLimitTooHigh',
    'feeTooLow',
    'senderNotExternal',
    'initCodeTooLarge',
    'unsupportedTransaction',
    'invalidTransaction',
    'transactionRejected',
    'callTimeout',
  ],
  errorCodes: {
    nonceTooLow: -38010,
    nonceTooHigh: -38011,
    feeTooLow: -38012,
    intrinsicGasTooLow: -38013,
    insufficientFunds: -38014,
    gasLimitTooHigh: -38015,
    senderNotExternal: -38024,
    initCodeTooLarge: -38025,
    limitExceeded: -38026,
  },
  example: { params: [{ blockStateCalls: [{ calls: [TRANSFER] }], traceTransfers: true }, 'latest'] },
  *run({ simulation, block }, node: CallingChain & Pick<Node, 'blockSimulator'>, context) {
    const { blockResolver, blockSimulator, startCallTimer } = node
    const [base, timer] = [blockResolver.at(block), startCallTimer()]
    const simulated = yield* blockSimulator.run(base, simulation, () => timer)
    const ran = simulated.flatMap(({ calls }) => calls)
    logCalls(context, node, new Map(ran.map(withTarget).entries()), (observerOf) =>
      blockSimulator.run(base, { ...simulation, traceTransfers: false }, observerOf),
    )
    const explained = yield* waitFor(context.explainedFailures())
    const rendered: SimulatedBlockObject[] = []
    for (const { resolved, calls } of simulated) {
      const shown: CallObject[] = []
      for (const call of calls) {
        const error = yield* waitFor(wireErrorOf(call.outcome, node, context.dialect, explained))
        shown.push(renderCall(call, resolved.block, error))
      }
      rendered.push({ ...renderBlock(resolved, simulation.returnFullTransactions ?? false), calls: shown })
    }
    return rendered
  },
})

const withTarget = ({ outcome, receipt: { transaction } }: SimulatedCall) => ({ outcome, to: transaction.to })

type CallObject = SimulatedBlockObject['calls'][number]

function renderCall(
  { outcome, receipt, logs, firstLogIndex }: SimulatedCall,
  block: Block,
  failure: WireError | undefined,
): CallObject {
  return {
    // A revert's return data is the error's data.
    returnData: failure === undefined ? toHex(outcome.returnData) : '0x',
    logs: logs.map((log, position) =>
      renderLog({ log, logIndex: firstLogIndex + position, receipt, block, removed: false }),
    ),
    gasUsed: toQuantity(outcome.gasUsed),
    maxUsedGas: toQuantity(outcome.gasNeeded),
    status: failure === undefined ? '0x1' : '0x0',
    ...(failure && { error: errorOf(failure, outcome.status === 'reverted') }),
  }
}

/** Code of a failure that is not a revert (geth, internal/ethapi/errors.go). */
const VM_ERROR = -32015

const errorOf = ({ code, message, data, solidityStack }: WireError, isRevert: boolean) => ({
  code: isRevert ? code : VM_ERROR,
  message,
  data,
  solidityStack,
})

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
    /** Milliseconds, limited by the node's own limit. */
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
  *run({ bundle: request }, node: Pick<Node, 'blockResolver' | 'bundleOn' | 'codec' | 'startCallTimer'>) {
    const { blockNumber: number, timestamp: time, coinbase: feeRecipient, baseFee: baseFeePerGas } = request
    const transactions = request.txs.map((encoded) => node.codec.decode(encoded))
    const parent = node.blockResolver.entryAt(request.stateBlockNumber)
    const { gasLimit, difficulty } = request
    const overrides = { number, time, feeRecipient, gasLimit, difficulty, baseFeePerGas }
    const [bundle, timer] = [node.bundleOn(parent, overrides), node.startCallTimer()]
    const receipts: BundledReceipt[] = []
    for (const transaction of transactions) receipts.push(yield* bundle.run(transaction, timer))
    const total = (of: (receipt: BundledReceipt) => bigint) =>
      receipts.reduce((sum, receipt) => sum + of(receipt), 0n)
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

/** Hash of a bundle, over the concatenated hashes of its transactions (Flashbots, mev-geth). */
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
  /** What the coinbase receives per gas. A free call uses no gas. */
  gasPrice: String(gasUsed === 0n ? 0n : coinbaseDiff / gasUsed),
})
