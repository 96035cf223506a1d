/** Methods that execute calls and discard their state changes. */

import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import { toHex, toQuantity } from '../../base/hex.ts'
import { isSince } from '../../config/release.ts'
import { waitFor, type Routine } from '../../base/routine.ts'
import { blockOverrides } from '../../schema/simulation.ts'
import { blockRef } from '../../schema/requests.ts'
import { solidityStack } from '../../schema/explanation-results.ts'
import { optional, optionalWith } from '../../schema/wire.ts'
import { accessList, dataText, quantityText, text } from '../../schema/results.ts'
import { checkMembers } from '../../chain/simulation/transaction-request.ts'
import { logSimulated } from '../failed-executions.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { estimateFailureOf, failureOf, wireErrorOf } from '../outcome-error.ts'
import { COW, COW1 } from './params.ts'
import { EXECUTION_ERRORS, execution, executionBlock, stateOverrides } from './params.ts'

/** The first release in which an estimate ignores the gas of its request. */
const FREE_ESTIMATES_SINCE = '9.1.0'

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
  *run(params, node, context) {
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
  *run(params, node, context) {
    const { transaction, block, overrides, blockOverrides } = params
    const { blockResolver, simulator, startCallTimer, options } = node
    const isFree = node.network.estimatesFreely && isSince(options.release, FREE_ESTIMATES_SINCE)
    const request = isFree ? { ...transaction, gas: undefined } : transaction
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
  *run({ transaction: request, block, overrides }, node, context) {
    const { simulator } = node
    const [resolved, timer] = [simulator.hold(node.blockResolver.at(block)), node.startCallTimer()]
    const changes = { stateOverrides: overrides, checksFunds: context.dialect !== 'hardhat' }
    const found = yield* simulator.createAccessList(resolved, request, changes, timer)
    const { accessList: fitting, outcome } = found
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
