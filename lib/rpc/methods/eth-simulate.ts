/** The method that simulates blocks of calls. */

import * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import { waitFor } from '../../base/routine.ts'
import { blockRef } from '../../schema/requests.ts'
import { optionalWith } from '../../schema/wire.ts'
import { simulatedBlock, simulationRequest } from '../../schema/simulation.ts'
import type { SimulatedCall } from '../../chain/simulation/block-simulator.ts'
import type { Block } from '../../chain/block.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { logCalls } from '../failed-executions.ts'
import { wireErrorOf } from '../outcome-error.ts'
import { renderBlock } from '../render/block.ts'
import { renderLog } from '../render/transaction.ts'
import { TRANSFER } from './examples.ts'
import type { WireError } from '../../schema/error-results.ts'

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
  *run({ simulation, block }, node, context) {
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
    // The return data of a revert is the data of the error.
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

/** Code of a failure that is no revert (geth, internal/ethapi/errors.go). */
const VM_ERROR = -32015

const errorOf = ({ code, message, data, solidityStack }: WireError, isRevert: boolean) => ({
  code: isRevert ? code : VM_ERROR,
  message,
  data,
  solidityStack,
})
