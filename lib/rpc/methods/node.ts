/** Methods that return encoded headers, receipts and requests, to check hashes with. */

import * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import type { Block } from '../../chain/block.ts'
import { rawHeader, rawReceipts, requestsOf, receiptNodes } from '../../chain/raw-forms.ts'
import { simpleBlockRef, blockRef } from '../../schema/block-ref.ts'
import { dataText, quantityText } from '../../schema/results.ts'
import { hash } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { UNKNOWN_HASH } from './examples.ts'

/** Version of the wire protocol between nodes that the reference speaks (node-rpc 5.2). */
const PROTOCOL_VERSION = 62

export const protocolVersions = ['eth_protocolVersion', '{module}_protocolVersion'].map((name) =>
  method({
    name,
    summary: 'Version of the protocol between nodes.',
    result: quantityText,
    example: { params: [], result: '0x3e' },
    run: () => toQuantity(PROTOCOL_VERSION),
  }),
)

export const getRawTransactionReceiptByHash = method({
  name: '{module}_getRawTransactionReceiptByHash',
  summary: 'The receipt of a transaction as encoded in the receipt trie of its block, or null.',
  params: [param('hash', hash, 'Hash of the transaction.')],
  result: dataText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, { chain, network }) => {
    const mined = chain.receipt(wanted)
    const raw = mined && rawReceipts(network, mined.entry.block)[mined.receipt.index]
    return raw === undefined ? null : toHex(raw)
  },
})

export const getTransactionReceiptNodesByHash = method({
  name: '{module}_getTransactionReceiptNodesByHash',
  summary:
    'Nodes of the receipt trie from the leaf of a transaction up to the root, whose hash is the receiptsRoot of the block; null if the transaction is not in the block.',
  params: [
    param('blockHash', hash, 'Hash of the block.'),
    param('transactionHash', hash, 'Hash of a transaction in it.'),
  ],
  result: z.array(dataText).nullable(),
  example: { params: [UNKNOWN_HASH, UNKNOWN_HASH], result: null },
  run: ({ blockHash, transactionHash }, { chain, network }) => {
    const block = chain.byHash(blockHash)?.block
    const receipt = block?.receipts.find(({ transaction }) => transaction.hash === transactionHash)
    if (block === undefined || receipt === undefined) return null
    return receiptNodes(network, block, receipt.index).map(toHex)
  },
})

const headerText = (block: Block | undefined) => (block === undefined ? null : toHex(rawHeader(block)))

const HEADER_SUMMARY =
  'The whole header of a block, or null. Its hash is that of the block on Ethereum networks; on merged-mining networks that is the hash of a shorter encoding.'

export const getRawBlockHeaderByHash = method({
  name: '{module}_getRawBlockHeaderByHash',
  summary: HEADER_SUMMARY,
  params: [param('hash', hash, 'Hash of the block.')],
  result: dataText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, { chain }) => headerText(chain.byHash(wanted)?.block),
})

export const getRawBlockHeaderByNumber = method({
  name: '{module}_getRawBlockHeaderByNumber',
  summary: HEADER_SUMMARY,
  params: [param('block', simpleBlockRef, 'Number or tag of the block.')],
  result: dataText.nullable(),
  example: { params: ['latest'] },
  run: async ({ block }, { blockResolver }) => headerText(blockResolver.find(block)?.block),
})

export const getExecutionRequests = method({
  name: 'dev_getExecutionRequests',
  summary:
    'The execution requests of a block as engine_getPayloadV4 lists them, or null: for each type that has some, its byte (0 deposits, 1 withdrawal requests, 2 consolidation requests) and the encoded requests. Empty where blocks have none.',
  params: [param('block', blockRef, 'Number, tag or hash of the block.')],
  result: z.array(dataText).nullable(),
  example: { params: ['latest'], result: [] },
  run: ({ block }, { blockResolver }) => {
    const found = blockResolver.find(block)?.block
    return found === undefined ? null : requestsOf(found).map(toHex)
  },
})
