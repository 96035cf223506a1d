/** Simulates blocks of calls and discards their state changes. */

import * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import { pausing, waitFor } from '../../base/routine.ts'
import { blockRef } from '../../schema/block-ref.ts'
import { optionalWith } from '../../schema/wire.ts'
import { simulatedBlock, simulationRequest } from '../../schema/simulation.ts'
import type { SimulatedCall, SimulatedBlock } from '../../simulation/block-simulator.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Node } from '../../node.ts'
import { method, param } from '../method.ts'
import type { FailureOf } from '../failed-executions.ts'
import { logCalls } from '../failed-executions.ts'
import { wireErrorOf } from '../outcome-error.ts'
import { renderBlock } from '../render/block.ts'
import { renderLog } from '../render/transaction.ts'
import { TRANSFER } from './examples.ts'

type SimulatedBlockObject = z.input<typeof simulatedBlock>

export const simulateV1 = method({
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
  example: {
    params: [
      {
        blockStateCalls: [
          {
            calls: [TRANSFER],
          },
        ],
        traceTransfers: true,
      },
      'latest',
    ],
  },
  run: pausing(function* ({ simulation, block }, node, context) {
    const { blockResolver, blockSimulator, startCallTimer } = node
    const [base, timer] = [blockResolver.at(block), startCallTimer()]
    const simulated = yield* blockSimulator.run(base, simulation, () => timer)
    const ran = simulated.flatMap(({ calls }) => calls)
    logCalls(context, node, new Map(ran.map(withTarget).entries()), (observerOf) =>
      blockSimulator.run(base, { ...simulation, traceTransfers: false }, observerOf),
    )
    const explained = yield* waitFor(context.explainedFailures())
    const errorOf = (call: SimulatedCall) =>
      waitFor(errorOfCall(call, node, { dialect: context.dialect, explained }))
    const rendered: SimulatedBlockObject[] = []
    for (const { resolved, calls } of simulated) {
      const shown: CallObject[] = []
      for (const call of calls) shown.push(renderCall(call, resolved, yield* errorOf(call)))
      rendered.push({ ...renderBlock(resolved, simulation.returnFullTransactions ?? false), calls: shown })
    }
    return rendered
  }),
})

const withTarget = ({ outcome, receipt: { transaction } }: SimulatedCall) => ({ outcome, to: transaction.to })

type CallObject = SimulatedBlockObject['calls'][number]

async function errorOfCall(
  { outcome }: SimulatedCall,
  node: Node,
  { dialect, explained }: { readonly dialect: Dialect; readonly explained: FailureOf },
): Promise<CallObject['error']> {
  if (outcome.status === 'success') return undefined
  const { code, message, data, solidityStack } = await wireErrorOf(outcome, node, dialect, explained(outcome))
  return { code, message, data, solidityStack }
}

function renderCall(
  { outcome, receipt, logs, firstLogIndex }: SimulatedCall,
  { block }: SimulatedBlock['resolved'],
  error: CallObject['error'],
): CallObject {
  const isSuccess = error === undefined
  return {
    // The return data of a revert is the data of the error.
    returnData: isSuccess ? toHex(outcome.returnData) : '0x',
    logs: logs.map((log, position) =>
      renderLog({ log, logIndex: firstLogIndex + position, receipt, block, removed: false }),
    ),
    gasUsed: toQuantity(outcome.gasUsed),
    status: isSuccess ? '0x1' : '0x0',
    ...(error === undefined ? {} : { error }),
  }
}
