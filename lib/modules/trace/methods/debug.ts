/** Methods that trace executions and return encoded blocks, transactions and receipts. */

import { PHRASES } from '../../../config/phrases.ts'
import * as z from 'zod'
import { NodeError } from '../../../base/errors.ts'
import type { Dialect } from '../../../config/dialect.ts'
import { filled, type NetworkNames } from '../../../config/names.ts'
import { optional } from '../../../schema/wire.ts'
import { PLAIN_TRACE, callTraceOptionsOf, traceOptionsWith } from '../params.ts'
import { blockTraces, traceResult } from '../results.ts'
import { namedParam, readMethod } from '../../../kernel/method.ts'
import { gethPanicText, revertReason } from '../../../abi/revert-reason.ts'
import {
  COW1,
  SENT,
  UNKNOWN_HASH,
  EXECUTION_ERRORS,
  anyBlock,
  execution,
  executionBlock,
} from '../../../rpc/methods/params.ts'
import { existing, transactionHash } from '../../../rpc/methods/params.ts'
import { dataText, list } from '../../../schema/results.ts'
import { blockReaders } from '../../../rpc/block-readers.ts'
import type { TracedChain } from '../scope.ts'

const OPTIONS =
  'tracer (a name, or code in JavaScript), tracerConfig, timeout, disableMemory, disableStack, disableStorage, enableReturnData, limit; struct logs if left out.'

/** Schema of trace options; `{module}Tracer` is the tracer of tracers.ts under the network's name. */
const traceOptions = (names: NetworkNames) => traceOptionsWith(filled('{module}Tracer', names))

const options = namedParam('options', (names) => optional(traceOptions(names)), `How to trace: ${OPTIONS}`)

/** The requested tracer, with the texts for revert data. Struct logs include memory by default, unlike geth's (eth/tracers/logger). */
function tracingOptions(dialect: Dialect, { tracer, config, script } = PLAIN_TRACE) {
  const { disableMemory = tracer === 'structLogs' && dialect === 'ethereum' } = config
  return { tracer, script, config: { ...config, disableMemory }, reasonOf }
}

/** Text of Solidity's `Error(string)` and `Panic(uint256)`. */
function reasonOf(returned: string): string | undefined {
  const reason = revertReason(returned)
  if (reason.kind === 'text') return reason.text
  return reason.kind === 'panic' ? gethPanicText(reason.code) : undefined
}

const traceTransaction = readMethod({
  name: 'debug_traceTransaction',
  summary:
    'Trace of a mined transaction, step by step or by a tracer. An unknown transaction is an error; in dialect node33 it is null.',
  params: [transactionHash, options],
  result: traceResult.nullable(),
  example: {
    after: [SENT.step],
    params: [SENT.hash],
    result: { structLogs: [], gas: 21_000, failed: false, returnValue: '0x' },
  },
  errors: ['unknownBlock', 'executionFailed'],
  run: ({ hash: wanted, options: given }, { chain, tracing }: TracedChain, { dialect }) => {
    const mined = chain.receipt(wanted)
    if (mined !== undefined)
      return tracing.transaction(mined.entry, mined.receipt, tracingOptions(dialect, given))
    if (dialect === 'node33') return null
    throw new NodeError('unknownBlock', 'transaction not found', {
      phrases: PHRASES.blockOfUnknown(wanted),
    })
  },
})

const traceBlock = blockReaders(
  {
    name: 'debug_traceBlockByHash',
    blockParam: 'blockHash',
    example: { params: [UNKNOWN_HASH], result: null },
  },
  {
    name: 'debug_traceBlockByNumber',
    example: {
      after: [SENT.step],
      params: ['latest', { tracer: 'noopTracer' }],
      result: [{ txHash: SENT.hash, result: {} }],
    },
  },
  {
    summary:
      'The traces of every transaction of a block. An unknown block is an error; in dialect node33 it is null.',
    params: [options],
    result: blockTraces.nullable(),
    errors: ['unknownBlock'],
    run: ({ block, options: given }, { blockResolver, tracing }: TracedChain, { dialect }) => {
      const entry = blockResolver.entry(block)
      if (entry !== undefined) return tracing.block(entry, tracingOptions(dialect, given))
      if (dialect === 'node33') return null
      const name = 'number' in block ? `#${block.number}` : 'hash' in block ? block.hash : block.tag
      throw new NodeError('unknownBlock', `block ${name} not found`)
    },
  },
)

const traceCall = readMethod({
  name: 'debug_traceCall',
  summary: 'Trace of a call, which is not sent.',
  params: [
    execution,
    executionBlock,
    namedParam(
      'options',
      (names) => optional(callTraceOptionsOf(traceOptions(names))),
      `How to trace: ${OPTIONS.slice(0, OPTIONS.indexOf(';'))}, stateOverrides, blockOverrides.`,
    ),
  ],
  result: traceResult,
  errors: [...EXECUTION_ERRORS, 'executionFailed'],
  example: { params: [{ to: COW1 }, 'latest', { tracer: '4byteTracer' }], result: {} },
  run: async ({ transaction, block, options: given }, node: TracedChain, { dialect }) => {
    const resolved = node.blockResolver.at(block)
    const changes = { ...given, checksFunds: dialect !== 'hardhat' }
    const prepare = () => node.simulator.prepare(resolved, transaction, changes)
    return node.tracing.call(prepare, tracingOptions(dialect, given), node.startCallTimer())
  },
})

const executionWitness = readMethod({
  name: 'debug_executionWitness',
  aliases: ['debug_executionWitnessByHash'],
  summary:
    'What a client without any state needs to execute a block: nodes of the tries before it, codes, keys of accounts and slots, and encoded headers from the oldest that the block reads up to its parent.',
  params: [existing(anyBlock)],
  result: z.strictObject({
    state: list(dataText),
    codes: list(dataText),
    keys: list(dataText),
    headers: list(dataText),
  }),
  example: { after: [SENT.step], params: ['latest'] },
  run: ({ block }, { blockResolver, witnessOf }: TracedChain) => witnessOf(blockResolver.entryAt(block)),
})

export const debugTraceMethods = [traceTransaction, traceBlock, traceCall, executionWitness]
