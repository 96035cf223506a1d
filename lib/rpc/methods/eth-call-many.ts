/** Runs calls on top of each other, with the params and results of erigon and reth. */

import * as z from 'zod'
import { toHex } from '../../base/hex.ts'
import { pausing, waitFor } from '../../base/routine.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Node } from '../../node.ts'
import { bundles, stateContext } from '../../schema/bundles.ts'
import { solidityStack } from '../../schema/explanation-results.ts'
import { optional } from '../../schema/wire.ts'
import { stateOverride } from '../../schema/requests.ts'
import { dataText, text } from '../../schema/results.ts'
import type { BundledCallResult } from '../../simulation/bundle-simulator.ts'
import { method, param } from '../method.ts'
import type { FailureOf } from '../failed-executions.ts'
import { logCalls } from '../failed-executions.ts'
import { toWireError } from '../error-codes.ts'
import { wireErrorOf } from '../outcome-error.ts'
import { stateBefore } from './debug-state.ts'
import { COW1 } from './examples.ts'

const called = z.union([
  z.strictObject({ value: dataText }),
  z.strictObject({ error: text, solidityStack: solidityStack.optional() }),
])

export const callMany = method({
  name: 'eth_callMany',
  summary:
    'Runs bundles of calls. Each call sees the changes of the calls before it. Returns the return data or the failure of each. The first bundle runs in the block itself, each later one a block and 12 seconds later.',
  params: [
    param('bundles', bundles, 'Bundles: transactions, and blockOverride for the block they run in.'),
    param(
      'stateContext',
      optional(stateContext),
      'blockNumber (latest if left out) and transactionIndex, to run before that transaction of the block; after all if left out.',
    ),
    param('stateOverride', optional(stateOverride), 'Changes to accounts for the calls, by address.'),
  ],
  result: z.array(z.array(called)),
  errors: ['unknownBlock', 'invalidParams', 'callTimeout'],
  example: {
    params: [[{ transactions: [{ to: COW1 }] }]],
    result: [[{ value: '0x' }]],
  },
  run: pausing(function* (params, node, context) {
    const timer = node.startCallTimer()
    const { bundleSimulator } = node
    const { block, state } = yield* waitFor(startOf(node, params.stateContext))
    const start = { block, state, stateOverride: params.stateOverride }
    const results = yield* bundleSimulator.run(start, params.bundles, () => timer)
    const ran = new Map([...results.flat().entries()].filter(isRun))
    logCalls(context, node, ran, (observerOf) => bundleSimulator.run(start, params.bundles, observerOf))
    const explained = yield* waitFor(context.explainedFailures())
    const all = results.map((bundle) =>
      Promise.all(bundle.map((call) => rendered(call, node, { dialect: context.dialect, explained }))),
    )
    return yield* waitFor(Promise.all(all))
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

async function rendered(
  call: BundledCallResult,
  node: Node,
  { dialect, explained }: { readonly dialect: Dialect; readonly explained: FailureOf },
) {
  if ('refusal' in call) return { error: toWireError(call.refusal, dialect).message }
  const { outcome } = call
  if (outcome.status === 'success') return { value: toHex(outcome.returnData) }
  const { message, solidityStack } = await wireErrorOf(outcome, node, dialect, explained(outcome))
  return { error: message, solidityStack }
}
