/** Methods that read blocks, headers and uncles. */

import * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { ResolvedBlock } from '../../chain/miner/block-resolver.ts'
import { simpleBlockRef } from '../../schema/block-ref.ts'
import { optionalWith, boolean, hash, quantity, index } from '../../schema/wire.ts'
import { blockObject, hashText, headerObject, quantityText } from '../../schema/results.ts'
import { method, param } from '../method.ts'
import { resolvedBlockOf, renderBlock, renderHeader } from '../render/block.ts'
import { UNKNOWN_HASH } from './examples.ts'
import { uncleHashesOf } from '../../chain/block.ts'
import type { Block } from '../../chain/block.ts'
import type { Node } from '../../node/node.ts'

const byHash = param('hash', hash, 'Hash of the block.')
const byNumber = param('block', simpleBlockRef, 'Number or tag of the block.')
const full = param(
  'full',
  optionalWith(boolean, false),
  'Whether to return whole transactions; hashes if left out.',
)

export const getBlockByHash = method({
  name: 'eth_getBlockByHash',
  summary: 'The block with a hash, or null.',
  params: [byHash, full],
  result: blockObject.nullable(),
  example: { params: [UNKNOWN_HASH, false], result: null },
  run: ({ hash: wanted, full: isFull }, { chain }) => {
    const entry = chain.byHash(wanted)
    return entry === undefined ? null : renderBlock(resolvedBlockOf(entry), isFull)
  },
})

export const getBlockByNumber = method({
  name: 'eth_getBlockByNumber',
  summary:
    'The block with a number or tag, or null. `pending` is the block that would be mined now; it has no hash, and in dialect node33 no nonce.',
  params: [byNumber, full],
  result: blockObject.nullable(),
  example: { params: ['latest', false] },
  run: async ({ block, full: isFull }, { blockResolver }, { dialect }) => {
    const resolved = blockResolver.find(block)
    return resolved === undefined ? null : withNonce(resolved, renderBlock(resolved, isFull), dialect)
  },
})

/** Adds the nonce to the pending block; it stays null only in dialect node33. */
const withNonce = <Rendered extends object>(resolved: ResolvedBlock, rendered: Rendered, dialect: Dialect) =>
  dialect === 'node33' ? rendered : { ...rendered, nonce: toHex(resolved.block.header.nonce) }

export const getHeaderByHash = method({
  name: 'eth_getHeaderByHash',
  summary: 'The header of the block with a hash, or null.',
  params: [byHash],
  result: headerObject.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, { chain }) => {
    const entry = chain.byHash(wanted)
    return entry === undefined ? null : renderHeader(resolvedBlockOf(entry))
  },
})

export const getHeaderByNumber = method({
  name: 'eth_getHeaderByNumber',
  aliases: ['erigon_getHeaderByNumber', 'ots_getHeaderByNumber'],
  summary: 'The header of the block with a number or tag, or null.',
  params: [byNumber],
  result: headerObject.nullable(),
  example: { params: ['latest'] },
  run: ({ block }, { blockResolver }, { dialect }) => {
    const resolved = blockResolver.find(block)
    return resolved === undefined ? null : withNonce(resolved, renderHeader(resolved), dialect)
  },
})

export const getBlockTransactionCountByHash = method({
  name: 'eth_getBlockTransactionCountByHash',
  summary: 'Number of transactions in the block with a hash, or null.',
  params: [byHash],
  result: quantityText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, { chain }) => {
    const entry = chain.byHash(wanted)
    return entry === undefined ? null : toQuantity(entry.block.receipts.length)
  },
})

export const getBlockTransactionCountByNumber = method({
  name: 'eth_getBlockTransactionCountByNumber',
  summary: 'Number of transactions in the block with a number or tag.',
  params: [byNumber],
  result: quantityText,
  errors: ['unknownBlock'],
  example: { params: ['latest'], result: '0x0' },
  run: async ({ block }, { blockResolver }) => {
    const resolved = blockResolver.at(block)
    return toQuantity(resolved.block.receipts.length)
  },
})

export const getBlocksByNumber = method({
  name: 'eth_getBlocksByNumber',
  summary: 'Every known block at a height. A block that evm_revert removed is unknown.',
  params: [param('number', quantity, 'Height.')],
  result: z.array(
    z.strictObject({ hash: hashText, totalDifficulty: quantityText, inMainChain: z.boolean() }),
  ),
  example: { params: ['0x1'], result: [] },
  run: ({ number }, { chain }) => {
    const block = chain.at(number)?.block
    if (block === undefined) return []
    const { hash: own, totalDifficulty } = block
    return [{ hash: own, totalDifficulty: toQuantity(totalDifficulty), inMainChain: true }]
  },
})

const position = param('index', index, 'Position among the uncles of the block.')

export const getUncleCountByBlockHash = method({
  name: 'eth_getUncleCountByBlockHash',
  summary: 'Number of uncles of the block with a hash.',
  params: [byHash],
  result: quantityText,
  errors: ['unknownBlock'],
  example: { params: [UNKNOWN_HASH], refusal: 'unknownBlock' },
  run: ({ hash: wanted }, { chain }) => toQuantity(uncleHashesOf(chain.get({ hash: wanted }).block).length),
})

export const getUncleCountByBlockNumber = method({
  name: 'eth_getUncleCountByBlockNumber',
  summary: 'Number of uncles of the block with a number or tag.',
  params: [byNumber],
  result: quantityText,
  errors: ['unknownBlock'],
  example: { params: ['latest'], result: '0x0' },
  run: async ({ block }, { blockResolver }) => {
    const resolved = blockResolver.at(block)
    return toQuantity(uncleHashesOf(resolved.block).length)
  },
})

/** An uncle as a block without transactions. */
function uncleAt(
  block: Block | undefined,
  wanted: number,
  { chain }: Node,
): z.input<typeof blockObject> | null {
  if (block === undefined) return null
  const hash = uncleHashesOf(block)[wanted]
  const header = block.uncles[wanted]
  if (hash === undefined || header === undefined) return null
  // Of an uncle that the node does not store, only the header is known, and no total difficulty (node-rpc 4.1).
  const uncle = chain.byHash(hash)?.block ?? { header, hash, receipts: [], uncles: [], totalDifficulty: 0n }
  return { ...renderBlock({ block: uncle, isPending: false }, false), transactions: [] }
}

export const getUncleByBlockHashAndIndex = method({
  name: 'eth_getUncleByBlockHashAndIndex',
  summary: 'An uncle by its position in the block with a hash, or null.',
  params: [byHash, position],
  result: blockObject.nullable(),
  example: { params: [UNKNOWN_HASH, '0x0'], result: null },
  run: ({ hash: wanted, index: at }, node) => uncleAt(node.chain.byHash(wanted)?.block, at, node),
})

export const getUncleByBlockNumberAndIndex = method({
  name: 'eth_getUncleByBlockNumberAndIndex',
  summary: 'An uncle by its position in the block with a number or tag, or null.',
  params: [byNumber, position],
  result: blockObject.nullable(),
  example: { params: ['latest', '0x0'], result: null },
  run: async ({ block, index: at }, node) => uncleAt(node.blockResolver.find(block)?.block, at, node),
})
