/** Methods that remove or replace the newest blocks. Names and params are those of Anvil. */

import { finish } from '../../base/routine.ts'
import * as z from 'zod'
import type { Hash } from '../../base/hex.ts'
import { reorganize, rollBack } from '../../chain/miner/reorganize.ts'
import type { Node } from '../../node/node.ts'
import { optional, optionalWith, data, index } from '../../schema/wire.ts'
import { transactionRequest } from '../../schema/requests.ts'
import { command } from '../../kernel/control.ts'
import { invalidParams, param } from '../../kernel/method.ts'
import type { RequestContext } from '../../kernel/request-context.ts'
import { SEND_ERRORS, sendContext, signOrImpersonate } from './eth-send.ts'

export const rollback = command({
  name: 'anvil_rollback',
  summary: 'Removes the newest blocks. Their transactions are not pooled again; the time does not go back.',
  params: [param('depth', optionalWith(index, 1), 'How many blocks; one if left out.')],
  errors: ['invalidParams'],
  example: { params: [0], result: null },
  run: ({ depth }, { chain }) => rollBack(chain, depth),
})

const PAIRS_EXPECTED =
  'expected a list of pairs [transaction, block]: a transaction object or a signed transaction, and the index of its block from 0'

const pair = z
  .tuple([z.union([data, transactionRequest], PAIRS_EXPECTED), index], PAIRS_EXPECTED)
  .transform(([transaction, block]) => ({ transaction, block }))

type Placed = z.output<typeof pair>

const pairs = z.array(pair, PAIRS_EXPECTED).readonly()

const depthOrOptions = z.union(
  [
    index.transform((depth) => ({ depth, tx_block_pairs: undefined })),
    z.strictObject({ depth: index, tx_block_pairs: pairs.optional() }),
  ],
  'expected a number of blocks, or {depth, tx_block_pairs}',
)

export const reorg = command({
  name: 'anvil_reorg',
  summary:
    'Replaces the newest blocks by as many others, empty or with the given transactions. Transactions of the old blocks are not pooled again.',
  params: [
    param('depth', depthOrOptions, 'How many blocks; or an object of both params.'),
    param('tx_block_pairs', optional(pairs), 'Transactions, each with the index of its block from 0.'),
  ],
  errors: ['invalidParams', 'miningRefused', 'unknownAccount', 'lockedAccount', ...SEND_ERRORS],
  example: { params: [0, []], result: null },
  run: ({ depth: options, tx_block_pairs: listed }, node, context) => {
    const { depth, tx_block_pairs: named } = options
    const placed = named ?? listed ?? []
    checkPlaces(placed, depth)
    return node.instance.atomically(() => replaceBlocks({ depth, placed }, node, context))
  },
})

function checkPlaces(placed: readonly Placed[], depth: number): void {
  const beyond = placed.find(({ block }) => block >= depth)
  if (beyond === undefined) return
  throw invalidParams(
    `params[1] (tx_block_pairs): there is no block ${beyond.block}, with depth ${depth} they are counted from 0 to ${depth - 1}`,
  )
}

/** @throws NodeError 'invalidParams' if a transaction did not get into its block, or the error of sending it */
async function replaceBlocks(
  { depth, placed }: { readonly depth: number; readonly placed: readonly Placed[] },
  node: Node,
  context: RequestContext,
): Promise<void> {
  const { chain, codec, submission } = node
  const kept = chain.head.block.header.number - BigInt(depth)
  const sent: { readonly hash: Hash; readonly block: number }[] = []
  await reorganize(node, depth, async (block) => {
    for (const { transaction } of placed.filter((pair) => pair.block === block)) {
      const isSigned = transaction instanceof Uint8Array
      const sending = sendContext(node, context)
      const decoded = isSigned
        ? codec.decode(transaction)
        : await finish(signOrImpersonate(transaction, sending))
      await finish(submission.submit(decoded, sending.nextBlock))
      sent.push({ hash: decoded.hash, block })
    }
  })
  for (const { hash, block } of sent) {
    const mined = chain.receipt(hash)
    const number = kept + BigInt(block) + 1n
    if (mined?.entry.block.header.number === number) {
      context.logTransaction(mined.receipt, number)
      continue
    }
    throw invalidParams(
      `params[1] (tx_block_pairs): transaction ${hash} did not get into block ${block}: its nonce, its gas or its fee do not fit there`,
    )
  }
}
