/** Methods that trace executions. They do not delay other requests: traces are made after the lock is released. */

import { filled } from '../../config/names.ts'
import type { NetworkNames } from '../../config/names.ts'
import { simpleBlockRef, blockRef } from '../../schema/block-ref.ts'
import { optional, optionalWith, hash } from '../../schema/wire.ts'
import { transactionRequest } from '../../schema/requests.ts'
import { PLAIN_TRACE, callTraceOptionsOf, traceOptionsWith } from '../../schema/trace.ts'
import { blockTraces, traceResult } from '../../schema/trace-results.ts'
import { method, namedParam, param } from '../method.ts'
import { gethPanicText, revertReason } from '../../abi/revert-reason.ts'
import { COW1, SENT, UNKNOWN_HASH } from './examples.ts'

const OPTIONS =
  'tracer, tracerConfig, disableMemory, disableStack, disableStorage, enableReturnData, limit; struct logs if left out.'

/** Schema of trace options; `{module}Tracer` is the tracer of trace/node-trace.ts under the network's name. */
const traceOptions = (names: NetworkNames) => traceOptionsWith(filled('{module}Tracer', names))

const options = namedParam('options', (names) => optional(traceOptions(names)), `How to trace: ${OPTIONS}`)

/** The requested tracer, with the texts for revert data. */
const tracingOptions = (given = PLAIN_TRACE) => ({ ...given, reasonOf })

/** Text of Solidity's `Error(string)` and `Panic(uint256)`. */
function reasonOf(returned: string): string | undefined {
  const reason = revertReason(returned)
  if (reason.kind === 'text') return reason.text
  return reason.kind === 'panic' ? gethPanicText(reason.code) : undefined
}

export const traceTransaction = method({
  name: 'debug_traceTransaction',
  summary: 'Trace of a mined transaction, step by step or by a tracer; null if the transaction is unknown.',
  params: [param('hash', hash, 'Hash of the transaction.'), options],
  result: traceResult.nullable(),
  example: {
    after: [SENT.step],
    params: [SENT.hash],
    result: { structLogs: [], gas: 21_000, failed: false, returnValue: '0x' },
  },
  run: ({ hash: wanted, options: given }, { chain, tracing }) => {
    const mined = chain.receipt(wanted)
    return mined === undefined ? null : tracing.transaction(mined.entry, mined.receipt, tracingOptions(given))
  },
})

export const traceBlockByHash = method({
  name: 'debug_traceBlockByHash',
  summary: 'The traces of every transaction of a block; null when it is unknown.',
  params: [param('blockHash', hash, 'Hash of the block.'), options],
  result: blockTraces.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ blockHash, options: given }, { chain, tracing }) => {
    const entry = chain.byHash(blockHash)
    return entry === undefined ? null : tracing.block(entry, tracingOptions(given))
  },
})

export const traceBlockByNumber = method({
  name: 'debug_traceBlockByNumber',
  summary: 'The traces of every transaction of a block; null when it is unknown.',
  params: [param('block', simpleBlockRef, 'Number, tag or hash of the block.'), options],
  result: blockTraces.nullable(),
  example: {
    after: [SENT.step],
    params: ['latest', { tracer: 'noopTracer' }],
    result: [{ txHash: SENT.hash, result: {} }],
  },
  run: async ({ block, options: given }, { blockResolver, tracing }) => {
    const entry = blockResolver.entry(block)
    return entry === undefined ? null : tracing.block(entry, tracingOptions(given))
  },
})

export const traceCall = method({
  name: 'debug_traceCall',
  summary: 'Trace of a call, which is not sent.',
  params: [
    param('transaction', transactionRequest, 'What to execute.'),
    param('block', optionalWith(blockRef, 'latest'), 'State and block to execute in; latest if left out.'),
    namedParam(
      'options',
      (names) => optional(callTraceOptionsOf(traceOptions(names))),
      `How to trace: ${OPTIONS.slice(0, OPTIONS.indexOf(';'))}, stateOverrides, blockOverrides.`,
    ),
  ],
  result: traceResult,
  errors: ['unknownBlock', 'intrinsicGasTooLow', 'initCodeTooLarge', 'callTimeout'],
  example: {
    params: [{ to: COW1 }, 'latest', { tracer: '4byteTracer' }],
    result: {},
  },
  run: async (
    { transaction, block, options: given },
    { blockResolver, simulator, startCallTimer, tracing },
  ) =>
    tracing.call(
      simulator.prepare(blockResolver.at(block), transaction, given),
      tracingOptions(given),
      startCallTimer(),
    ),
})
