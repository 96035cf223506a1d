/** Methods that simulate several calls: blocks of calls and bundles. */

import * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import { pausing, waitFor } from '../../base/routine.ts'
import { blockRef, stateOverride } from '../../schema/requests.ts'
import { optionalWith, optional } from '../../schema/wire.ts'
import { bundles, simulatedBlock, simulationRequest, stateContext } from '../../schema/simulation.ts'
import type { SimulatedCall } from '../../chain/simulation/block-simulator.ts'
import type { Block } from '../../chain/block.ts'
import type { Node } from '../../node/node.ts'
import { param, readMethod } from '../method.ts'
import { logCalls } from '../failed-executions.ts'
import { wireErrorOf } from '../outcome-error.ts'
import { renderBlock } from '../render/block.ts'
import { renderLog } from '../render/transaction.ts'
import { TRANSFER, COW1 } from './examples.ts'
import { solidityStack } from '../../schema/explanation-results.ts'
import { dataText, text } from '../../schema/results.ts'
import type { BundledCallResult } from '../../chain/simulation/bundle-simulator.ts'
import { toWireError } from '../error-codes.ts'
import type { WireError } from '../../schema/error-results.ts'
import { stateBefore } from './debug-state.ts'

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
    'unsupportedTransaction',
    'invalidTransaction',
    'transactionRejected',
    'callTimeout',
  ],
  example: { params: [{ blockStateCalls: [{ calls: [TRANSFER] }], traceTransfers: true }, 'latest'] },
  run: pausing(function* ({ simulation, block }, node, context) {
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
  }),
})

const withTarget = ({ outcome, receipt: { transaction } }: SimulatedCall) => ({ outcome, to: transaction.to })

type CallObject = SimulatedBlockObject['calls'][number]

function renderCall(
  { outcome, receipt, logs, firstLogIndex }: SimulatedCall,
  block: Block,
  failure: WireError | undefined,
): CallObject {
  return {
    // The return data of a revert is the data of the error.
    returnData: failure === undefined ? toHex(outcome.returnData) : '0x',
    logs: logs.map((log, position) =>
      renderLog({ log, logIndex: firstLogIndex + position, receipt, block, removed: false }),
    ),
    gasUsed: toQuantity(outcome.gasUsed),
    status: failure === undefined ? '0x1' : '0x0',
    ...(failure && { error: errorOf(failure) }),
  }
}

const errorOf = ({ code, message, data, solidityStack }: WireError) => ({
  code,
  message,
  data,
  solidityStack,
})

const called = z.union([
  z.strictObject({ value: dataText }),
  z.strictObject({ error: text, solidityStack: solidityStack.optional() }),
])

export const callMany = readMethod({
  name: 'eth_callMany',
  summary:
    'Runs bundles of calls. Each call sees the changes of the calls before it. Returns the return data or the failure of each. The first bundle runs in the block itself, each later one a block and 12 seconds later.',
  params: [
    param('bundles', bundles, 'Bundles: transactions, and blockOverride for the block they run in.'),
    param(
      'stateContext',
      optional(stateContext),
      'blockNumber, and transactionIndex to run before; else after all.',
    ),
    param('stateOverride', optional(stateOverride), 'Changes to accounts for the calls, by address.'),
  ],
  result: z.array(z.array(called)),
  errors: ['unknownBlock', 'invalidParams', 'callTimeout'],
  example: { params: [[{ transactions: [{ to: COW1 }] }]], result: [[{ value: '0x' }]] },
  run: pausing(function* (params, node, context) {
    const timer = node.startCallTimer()
    const { bundleSimulator } = node
    const { block, state } = yield* waitFor(startOf(node, params.stateContext))
    const start = { block, state, stateOverride: params.stateOverride }
    const results = yield* bundleSimulator.run(start, params.bundles, () => timer)
    const ran = new Map([...results.flat().entries()].filter(isRun))
    logCalls(context, node, ran, (observerOf) => bundleSimulator.run(start, params.bundles, observerOf))
    const explained = yield* waitFor(context.explainedFailures())
    const rendered = async (call: BundledCallResult) => {
      if ('refusal' in call) return { error: toWireError(call.refusal, context.dialect).message }
      const failure = await wireErrorOf(call.outcome, node, context.dialect, explained)
      if (failure === undefined) return { value: toHex(call.outcome.returnData) }
      return { error: failure.message, solidityStack: failure.solidityStack }
    }
    return yield* waitFor(Promise.all(results.map((bundle) => Promise.all(bundle.map(rendered)))))
  }),
})

/** The block, and the state before a transaction or after all. @throws NodeError 'unknownBlock', 'invalidParams' */
async function startOf(node: Node, where: z.output<typeof stateContext> = {}) {
  const { blockNumber = { tag: 'latest' }, transactionIndex: index } = where
  const { block, state } = node.blockResolver.at(blockNumber)
  if (index === undefined) return { block, state }
  return { block, state: await stateBefore(node, blockNumber, { index, at: 'params[1].transactionIndex' }) }
}

/** A call that could run. */
type RunCall = Exclude<BundledCallResult, { readonly refusal: unknown }>

const isRun = (entry: [number, BundledCallResult]): entry is [number, RunCall] => 'outcome' in entry[1]
