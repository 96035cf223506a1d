/** Methods that trace executions and return encoded blocks, transactions and receipts. */

import { PHRASES } from '../../config/phrases.ts'
import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import type { Dialect } from '../../config/dialect.ts'
import { filled, type NetworkNames } from '../../config/names.ts'
import { optional, index } from '../../schema/wire.ts'
import { PLAIN_TRACE, callTraceOptionsOf, traceOptionsWith } from '../../schema/trace.ts'
import { blockTraces, traceResult } from '../../schema/trace-results.ts'
import { namedParam, param, readMethod } from '../../kernel/method.ts'
import { gethPanicText, revertReason } from '../../abi/revert-reason.ts'
import { COW1, SENT, UNKNOWN_HASH, EXECUTION_ERRORS, anyBlock, execution, executionBlock } from './params.ts'
import { existing, ofBlock, transactionHash } from './params.ts'
import { toHex } from '../../base/hex.ts'
import { rawBlock, rawHeader, rawReceipts, rawTransaction } from '../../chain/raw-forms.ts'
import { networkForm } from '../../evm/sidecar.ts'
import { blockObject, dataText, hashText } from '../../schema/results.ts'
import { blockReaders } from '../block-readers.ts'

const OPTIONS =
  'tracer (a name, or code in JavaScript), tracerConfig, timeout, disableMemory, disableStack, disableStorage, enableReturnData, limit; struct logs if left out.'

/** Schema of trace options; `{module}Tracer` is the tracer of insight/trace/tracers.ts under the network's name. */
const traceOptions = (names: NetworkNames) => traceOptionsWith(filled('{module}Tracer', names))

const options = namedParam('options', (names) => optional(traceOptions(names)), `How to trace: ${OPTIONS}`)

/** The requested tracer, with the texts for revert data. Struct logs have the memory by default, but not geth's (eth/tracers/logger). */
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

export const traceTransaction = readMethod({
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
  run: ({ hash: wanted, options: given }, { chain, tracing }, { dialect }) => {
    const mined = chain.receipt(wanted)
    if (mined !== undefined)
      return tracing.transaction(mined.entry, mined.receipt, tracingOptions(dialect, given))
    if (dialect === 'node33') return null
    throw new NodeError('unknownBlock', 'transaction not found', {
      phrases: PHRASES.blockOfUnknown(wanted),
    })
  },
})

export const traceBlock = blockReaders(
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
    run: ({ block, options: given }, { blockResolver, tracing }, { dialect }) => {
      const entry = blockResolver.entry(block)
      if (entry !== undefined) return tracing.block(entry, tracingOptions(dialect, given))
      if (dialect === 'node33') return null
      const name = 'number' in block ? `#${block.number}` : 'hash' in block ? block.hash : block.tag
      throw new NodeError('unknownBlock', `block ${name} not found`)
    },
  },
)

export const traceCall = readMethod({
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
  run: async ({ transaction, block, options: given }, node, { dialect }) => {
    const resolved = node.blockResolver.at(block)
    const changes = { ...given, checksFunds: dialect !== 'hardhat' }
    const prepare = () => node.simulator.prepare(resolved, transaction, changes)
    return node.tracing.call(prepare, tracingOptions(dialect, given), node.startCallTimer())
  },
})

const block = existing(anyBlock)

export const getRawBlock = readMethod({
  name: 'debug_getRawBlock',
  summary: 'The RLP of a block: header, transactions, uncles and, where there are any, withdrawals.',
  params: [block],
  result: dataText,
  example: { params: ['latest'] },
  run: ({ block: ref }, { blockResolver }) => toHex(rawBlock(blockResolver.at(ref).block)),
})

export const getRawHeader = readMethod({
  name: 'debug_getRawHeader',
  summary:
    'The RLP of the header of a block. Its hash is that of the block on Ethereum networks; on merged-mining networks that is the hash of a shorter encoding.',
  params: [block],
  result: dataText,
  example: { params: ['latest'] },
  run: ({ block: ref }, { blockResolver }) => toHex(rawHeader(blockResolver.at(ref).block)),
})

export const getRawReceipts = readMethod({
  name: 'debug_getRawReceipts',
  summary: 'The receipts of a block, each as it stands in the receipt trie of the block.',
  params: [block],
  result: z.array(dataText),
  example: { params: ['latest'], result: [] },
  run: ({ block: ref }, { blockResolver, network }) =>
    rawReceipts(network, blockResolver.at(ref).block).map(toHex),
})

export const getRawTransactions = readMethod({
  name: 'debug_getRawTransactions',
  summary: 'The signed bytes of the transactions of a block.',
  params: [block],
  result: z.array(dataText),
  example: { after: [SENT.step], params: ['latest'], result: [SENT.raw] },
  run: ({ block: ref }, { blockResolver }) =>
    blockResolver.at(ref).block.receipts.map(({ transaction }) => toHex(rawTransaction(transaction))),
})

export const getRawTransaction = readMethod({
  name: 'debug_getRawTransaction',
  aliases: ['eth_getRawTransactionByHash'],
  summary: 'The signed bytes of a mined or pooled transaction, while pooled with its blobs, or null.',
  params: [transactionHash],
  result: dataText.nullable(),
  example: { after: [SENT.step], params: [SENT.hash], result: SENT.raw },
  run: ({ hash: wanted }, { chain, mempool, sidecars }) => {
    const pooled = mempool.get(wanted)?.transaction
    if (pooled !== undefined) return toHex(networkForm(pooled, sidecars.get(wanted)))
    const mined = chain.receipt(wanted)?.receipt.transaction
    return mined === undefined ? null : toHex(rawTransaction(mined))
  },
})

export const getRawTransactionAt = blockReaders(
  {
    name: 'eth_getRawTransactionByBlockHashAndIndex',
    blockParam: 'blockHash',
    example: { params: [UNKNOWN_HASH, '0x0'], result: null },
  },
  {
    name: 'eth_getRawTransactionByBlockNumberAndIndex',
    example: { after: [SENT.step], params: ['latest', '0x0'], result: SENT.raw },
  },
  {
    summary: 'The signed bytes of a transaction by its position in a block, or null.',
    params: [param('index', index, 'Position in the block.')],
    result: dataText.nullable(),
    run: ofBlock(({ block: { receipts } }, { index: position }) => {
      const transaction = receipts[position]?.transaction
      return transaction && toHex(rawTransaction(transaction))
    }),
  },
)

export const getBadBlocks = readMethod({
  name: 'debug_getBadBlocks',
  summary: 'Blocks that were refused as invalid: none, as the submission of an invalid block is an error.',
  result: z.array(z.strictObject({ block: blockObject, hash: hashText, rlp: dataText })),
  example: { params: [], result: [] },
  run: () => [],
})
