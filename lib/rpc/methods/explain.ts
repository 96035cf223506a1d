/** Methods that explain executions with the sources of the contracts. They replay, so they do not delay other requests. */

import { blockRef } from '../../schema/block-ref.ts'
import { explanationObject } from '../../schema/explanation-results.ts'
import { optional, optionalWith, hash } from '../../schema/wire.ts'
import { stateOverride, transactionRequest } from '../../schema/requests.ts'
import { method, param } from '../method.ts'
import { renderExplanation } from '../render/explanation.ts'
import { COW1, SENT } from './examples.ts'

export const explainTransaction = method({
  name: 'dev_explainTransaction',
  summary:
    'What a mined transaction did, with names from the artifacts: reason of a failure, Solidity stack, calls, events, changes; null if it is unknown.',
  params: [param('hash', hash, 'Hash of the transaction.')],
  result: explanationObject.nullable(),
  example: { after: [SENT.step], params: [SENT.hash] },
  run: async ({ hash: wanted }, { chain, loadExplainer }) => {
    const mined = chain.receipt(wanted)
    return mined === undefined
      ? null
      : renderExplanation(await (await loadExplainer()).transaction(mined.entry, mined.receipt))
  },
})

export const explainCall = method({
  name: 'dev_explainCall',
  summary: 'What a call does, which is not sent: as dev_explainTransaction for a mined transaction.',
  params: [
    param('transaction', transactionRequest, 'What to execute.'),
    param('block', optionalWith(blockRef, 'latest'), 'State and block to execute in; latest if left out.'),
    param('overrides', optional(stateOverride), 'Changes to accounts for the call, by address.'),
  ],
  result: explanationObject,
  errors: ['unknownBlock', 'intrinsicGasTooLow', 'initCodeTooLarge', 'callTimeout'],
  example: { params: [{ to: COW1, value: '0x1' }, 'latest'] },
  run: async (
    { transaction, block, overrides },
    { blockResolver, simulator, startCallTimer, loadExplainer },
  ) => {
    const prepared = simulator.prepare(blockResolver.at(block), transaction, { stateOverrides: overrides })
    return renderExplanation(await (await loadExplainer()).call(prepared, startCallTimer()))
  },
})
