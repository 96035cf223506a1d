/** Mines blocks and returns them. Name and params are those of Anvil. */

import * as z from 'zod'
import { toHex } from '../../base/hex.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Node } from '../../node.ts'
import { optional } from '../../schema/wire.ts'
import { blockObject, dataText, text, transactionObject } from '../../schema/results.ts'
import { method, param } from '../method.ts'
import { failureText } from '../outcome-error.ts'
import { resolvedBlockOf, renderBlock } from '../render/block.ts'
import { renderMined } from '../render/transaction.ts'
import { mineRequested, mineRequest } from './evm.ts'

/** Maximum number of blocks per call, because the result contains all of them. */
const MAX_BLOCKS = 1_000n

const detailedTransaction = transactionObject.extend({
  /** Return or revert data; the code of a created contract. */
  output: dataText,
  /** Present if the transaction failed. */
  revertReason: text.optional(),
})

const detailedBlock = blockObject.extend({ transactions: z.array(detailedTransaction).readonly() })

export const mineDetailed = method({
  name: 'evm_mine_detailed',
  aliases: ['anvil_mine_detailed'],
  summary:
    'As evm_mine, but returns the blocks with their transactions, the output of each, and the reason of failures.',
  params: [
    param(
      'options',
      optional(mineRequest(MAX_BLOCKS)),
      'Time of the (first) block in seconds, or {blocks, timestamp}.',
    ),
  ],
  result: z.array(detailedBlock).readonly(),
  access: 'write',
  errors: ['miningRefused'],
  example: { params: [] },
  run: async ({ options }, node) => {
    const { chain, miner } = node
    const before = chain.head.block.header.number
    await mineRequested(options, node)
    miner.makePostponedBlocks()
    const mined = Number(chain.head.block.header.number - before)
    return Array.from({ length: mined }, (_, index) =>
      rendered(chain.get({ number: before + BigInt(index) + 1n }), node),
    )
  },
})

function rendered(entry: ChainEntry, node: Node): z.input<typeof detailedBlock> {
  const { block } = entry
  return {
    ...renderBlock(resolvedBlockOf(entry), false),
    transactions: block.receipts.map((receipt) => ({
      ...renderMined(block, receipt),
      ...outcomeOf(receipt, node),
    })),
  }
}

function outcomeOf({ outcome }: Receipt, { customErrors }: Node) {
  const output = toHex(outcome.returnData)
  if (outcome.status === 'success') return { output }
  return { output, revertReason: failureText(outcome, customErrors.textOf) }
}
