/** Runs calls on top of each other, with the params and results of erigon and reth. */

import * as z from 'zod'
import { toHex } from '../../base/hex.ts'
import { pausing, waitFor } from '../../base/routine.ts'
import type { Node } from '../../node.ts'
import { bundles, stateContext } from '../../schema/bundles.ts'
import { optional } from '../../schema/optional.ts'
import { stateOverride } from '../../schema/requests.ts'
import { dataText, text } from '../../schema/results.ts'
import type { BundledCallResult } from '../../simulation/bundle-simulator.ts'
import { method, param } from '../method.ts'
import type { RequestContext } from '../method.ts'
import { toWireError } from '../error-codes.ts'
import { wireErrorOf } from '../outcome-error.ts'
import { stateBefore } from './debug-state.ts'

const called = z.union([z.strictObject({ value: dataText }), z.strictObject({ error: text })])

const callMany = method({
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
  access: 'read',
  errors: ['unknownBlock', 'invalidParams', 'callTimeout'],
  example: {
    params: [[{ transactions: [{ to: '0x7986b3df570230288501eea3d890bd66948c9b79' }] }]],
    result: [[{ value: '0x' }]],
  },
  run: pausing(function* (params, node, context) {
    const timer = node.startCallTimer()
    const { block, state } = yield* waitFor(startOf(node, params.stateContext))
    const start = { block, state, stateOverride: params.stateOverride }
    const results = yield* node.bundleSimulator.run(start, params.bundles, timer)
    const all = results.map((bundle) => Promise.all(bundle.map((call) => rendered(call, node, context))))
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

async function rendered(call: BundledCallResult, node: Node, { dialect, logSimulation }: RequestContext) {
  if ('refusal' in call) return { error: toWireError(call.refusal, dialect).message }
  const { outcome, to } = call
  logSimulation({ kind: 'call', to, outcome })
  if (outcome.status === 'success') return { value: toHex(outcome.returnData) }
  return { error: (await wireErrorOf(outcome, node, dialect)).message }
}

export const ethCallManyMethods = [callMany]
