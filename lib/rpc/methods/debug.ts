/** Methods that trace executions and return encoded blocks, transactions and receipts. */

import * as z from 'zod'
import { filled } from '../../config/names.ts'
import type { NetworkNames } from '../../config/names.ts'
import { simpleBlockRef, blockRef } from '../../schema/block-ref.ts'
import { optional, optionalWith, hash, index } from '../../schema/wire.ts'
import { transactionRequest } from '../../schema/requests.ts'
import { PLAIN_TRACE, callTraceOptionsOf, traceOptionsWith } from '../../schema/trace.ts'
import { blockTraces, traceResult } from '../../schema/trace-results.ts'
import { method, namedParam, param } from '../method.ts'
import { gethPanicText, revertReason } from '../../abi/revert-reason.ts'
import { COW1, SENT, UNKNOWN_HASH } from './examples.ts'
import { toHex } from '../../base/hex.ts'
import { rawBlock, rawHeader, rawReceipts, rawTransaction } from '../../chain/raw-forms.ts'
import { networkForm } from '../../evm/sidecar.ts'
import type { ResolvedBlock } from '../../chain/miner/block-resolver.ts'
import { blockObject, dataText, hashText } from '../../schema/results.ts'
import { resolvedBlockOf } from '../render/block.ts'

const OPTIONS =
  'tracer, tracerConfig, disableMemory, disableStack, disableStorage, enableReturnData, limit; struct logs if left out.'

/** Schema of trace options; `{module}Tracer` is the tracer of insight/trace/node-trace.ts under the network's name. */
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

const block = param('block', blockRef, 'Number, tag or hash of the block.')
const position = param('index', index, 'Position in the block.')

export const getRawBlock = method({
  name: 'debug_getRawBlock',
  summary: 'The RLP of a block: header, transactions, uncles and, where there are any, withdrawals.',
  params: [block],
  result: dataText,
  errors: ['unknownBlock'],
  example: { params: ['latest'] },
  run: ({ block: ref }, { blockResolver }) => toHex(rawBlock(blockResolver.at(ref).block)),
})

export const getRawHeader = method({
  name: 'debug_getRawHeader',
  summary:
    'The RLP of the header of a block. Its hash is that of the block on Ethereum networks; on merged-mining networks that is the hash of a shorter encoding.',
  params: [block],
  result: dataText,
  errors: ['unknownBlock'],
  example: { params: ['latest'] },
  run: ({ block: ref }, { blockResolver }) => toHex(rawHeader(blockResolver.at(ref).block)),
})

export const getRawReceipts = method({
  name: 'debug_getRawReceipts',
  summary: 'The receipts of a block, each as it stands in the receipt trie of the block.',
  params: [block],
  result: z.array(dataText),
  errors: ['unknownBlock'],
  example: { params: ['latest'], result: [] },
  run: ({ block: ref }, { blockResolver, network }) =>
    rawReceipts(network, blockResolver.at(ref).block).map(toHex),
})

export const getRawTransactions = method({
  name: 'debug_getRawTransactions',
  summary: 'The signed bytes of the transactions of a block.',
  params: [block],
  result: z.array(dataText),
  errors: ['unknownBlock'],
  example: { after: [SENT.step], params: ['latest'], result: [SENT.raw] },
  run: ({ block: ref }, { blockResolver }) =>
    blockResolver.at(ref).block.receipts.map(({ transaction }) => toHex(rawTransaction(transaction))),
})

export const getRawTransaction = method({
  name: 'debug_getRawTransaction',
  aliases: ['eth_getRawTransactionByHash'],
  summary:
    'The signed bytes of a mined or pooled transaction, or null. While a blob transaction is pooled its blobs are among them.',
  params: [param('hash', hash, 'Hash of the transaction.')],
  result: dataText.nullable(),
  example: { after: [SENT.step], params: [SENT.hash], result: SENT.raw },
  run: ({ hash: wanted }, { chain, mempool, sidecars }) => {
    const pooled = mempool.get(wanted)?.transaction
    if (pooled !== undefined) return toHex(networkForm(pooled, sidecars.get(wanted)))
    const mined = chain.receipt(wanted)?.receipt.transaction
    return mined === undefined ? null : toHex(rawTransaction(mined))
  },
})

function rawTransactionAt(resolved: ResolvedBlock | undefined, wanted: number): string | null {
  const receipt = resolved?.block.receipts[wanted]
  return receipt === undefined ? null : toHex(rawTransaction(receipt.transaction))
}

export const getRawTransactionByBlockHashAndIndex = method({
  name: 'eth_getRawTransactionByBlockHashAndIndex',
  summary: 'The signed bytes of a transaction by its position in the block with a hash, or null.',
  params: [param('blockHash', hash, 'Hash of the block.'), position],
  result: dataText.nullable(),
  example: { params: [UNKNOWN_HASH, '0x0'], result: null },
  run: ({ blockHash, index: wanted }, { chain }) => {
    const entry = chain.byHash(blockHash)
    return rawTransactionAt(entry === undefined ? undefined : resolvedBlockOf(entry), wanted)
  },
})

export const getRawTransactionByBlockNumberAndIndex = method({
  name: 'eth_getRawTransactionByBlockNumberAndIndex',
  summary: 'The signed bytes of a transaction by its position in the block with a number or tag, or null.',
  params: [param('block', simpleBlockRef, 'Number or tag of the block.'), position],
  result: dataText.nullable(),
  example: { after: [SENT.step], params: ['latest', '0x0'], result: SENT.raw },
  run: ({ block: ref, index: wanted }, { blockResolver }) =>
    rawTransactionAt(blockResolver.find(ref), wanted),
})

export const getBadBlocks = method({
  name: 'debug_getBadBlocks',
  summary:
    'Blocks that were refused as invalid: always none, as the submission of an invalid block is an error.',
  result: z.array(z.strictObject({ block: blockObject, hash: hashText, rlp: dataText })),
  example: { params: [], result: [] },
  run: () => [],
})
