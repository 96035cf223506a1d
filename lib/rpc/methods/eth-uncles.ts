/** Methods that return uncles: side blocks that a block names. */

import type * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { uncleHashesOf } from '../../chain/block.ts'
import type { Block } from '../../chain/block.ts'
import type { Node } from '../../node.ts'
import { simpleBlockRef } from '../../schema/block-ref.ts'
import { blockObject, quantityText } from '../../schema/results.ts'
import { hash, index } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { renderBlock } from '../render/block.ts'
import { UNKNOWN_HASH } from './examples.ts'

const byHash = param('hash', hash, 'Hash of the block.')
const byNumber = param('block', simpleBlockRef, 'Number or tag of the block.')
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
