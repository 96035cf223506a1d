/** Uncles: blocks beside the chain that a block names. With one miner there are none. */

import type { z } from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { unclesOf } from '../../chain/block.ts'
import type { Block } from '../../chain/block.ts'
import type { Node } from '../../node.ts'
import { blockNumber } from '../../schema/block-ref.ts'
import { blockObject, quantityText } from '../../schema/results.ts'
import { hash, index } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { asView, renderBlock } from '../render/block.ts'
import { UNKNOWN_HASH } from './examples.ts'

const byHash = param('hash', hash, 'Hash of the block.')
const byNumber = param('block', blockNumber, 'Number or tag of the block.')
const position = param('index', index, 'Position among the uncles of the block.')

const getUncleCountByBlockHash = method({
  name: 'eth_getUncleCountByBlockHash',
  summary: 'Number of uncles of the block with a hash, or null.',
  params: [byHash],
  result: quantityText.nullable(),
  access: 'read',
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, { chain }) => {
    const entry = chain.byHash(wanted)
    return entry === undefined ? null : toQuantity(unclesOf(entry.block).length)
  },
})

const getUncleCountByBlockNumber = method({
  name: 'eth_getUncleCountByBlockNumber',
  summary: 'Number of uncles of the block with a number or tag.',
  params: [byNumber],
  result: quantityText,
  access: 'read',
  errors: ['unknownBlock'],
  example: { params: ['latest'], result: '0x0' },
  run: async ({ block }, { views }) => {
    const view = await views.at(block)
    return toQuantity(unclesOf(view.block).length)
  },
})

/** An uncle in the shape of a block, without its transactions. */
function uncleAt(
  block: Block | undefined,
  wanted: number,
  { chain, network }: Node,
): z.input<typeof blockObject> | null {
  const uncle = block === undefined ? undefined : unclesOf(block)[wanted]
  const entry = uncle === undefined ? undefined : chain.byHash(uncle)
  return entry === undefined ? null : { ...renderBlock(asView(entry), false, network), transactions: [] }
}

const getUncleByBlockHashAndIndex = method({
  name: 'eth_getUncleByBlockHashAndIndex',
  summary: 'An uncle by its position in the block with a hash, or null.',
  params: [byHash, position],
  result: blockObject.nullable(),
  access: 'read',
  example: { params: [UNKNOWN_HASH, '0x0'], result: null },
  run: ({ hash: wanted, index: at }, node) => uncleAt(node.chain.byHash(wanted)?.block, at, node),
})

const getUncleByBlockNumberAndIndex = method({
  name: 'eth_getUncleByBlockNumberAndIndex',
  summary: 'An uncle by its position in the block with a number or tag, or null.',
  params: [byNumber, position],
  result: blockObject.nullable(),
  access: 'read',
  example: { params: ['latest', '0x0'], result: null },
  run: async ({ block, index: at }, node) => uncleAt((await node.views.find(block))?.block, at, node),
})

export const ethUncleMethods = [
  getUncleCountByBlockHash,
  getUncleCountByBlockNumber,
  getUncleByBlockHashAndIndex,
  getUncleByBlockNumberAndIndex,
]
