/** Methods that mine blocks and set the time. */

import * as z from 'zod'
import { toQuantity, toHex } from '../../base/hex.ts'
import { LAST_TIME } from '../../base/limits.ts'
import { checkMines } from '../../config/mining-mode.ts'
import { minTimestamp } from '../../chain/miner/next-block.ts'
import type { Node } from '../../node/node.ts'
import { optional, quantity64, seconds } from '../../schema/wire.ts'
import { blockObject, dataText, list, quantityText, text, transactionObject } from '../../schema/results.ts'
import { command } from '../../kernel/control.ts'
import { param, writeMethod } from '../../kernel/method.ts'
import type { Block, Receipt } from '../../chain/block.ts'
import { failureText } from '../failed-executions.ts'
import { renderBlock, renderMined } from '../render/block.ts'

type MinedChain = Pick<Node, 'chain' | 'customErrors' | 'miner' | 'options'>

/** Maximum number of blocks per call. It keeps block numbers in a range that all clients can read. */
export const MAX_BLOCKS = 1_000_000_000n

/** A number of blocks, up to `maximum`. */
export const blockCount = (maximum: bigint) =>
  quantity64.refine((count) => count <= maximum, `expected at most ${maximum} blocks`)

/** The options of evm_mine, for up to `maximum` blocks. */
function mineOptions(maximum: bigint) {
  const expected = `expected a timestamp in seconds, or {blocks, timestamp} with at most ${maximum} blocks`
  // Anvil's typed clients send null for absent members.
  const members = { timestamp: optional(seconds), blocks: optional(blockCount(maximum)) }
  const request = z.union(
    [seconds.transform((timestamp) => ({ timestamp, blocks: 1n })), z.strictObject(members, expected)],
    expected,
  )
  return param('options', optional(request), 'Time of the (first) block in seconds, or {blocks, timestamp}.')
}

type MineOptions = z.output<ReturnType<typeof mineOptions>['schema']>

/** Mines the requested blocks, by default one. @throws NodeError 'invalidParams', 'miningRefused', 'limitExceeded' */
async function mineRequested({ timestamp, blocks = 1n }: MineOptions = {}, node: MinedChain): Promise<void> {
  const { miner } = node
  // This comes first, so that a refused request changes nothing.
  checkMines(miner.mode)
  if (timestamp !== undefined) miner.setNextTimestamp(earliestTimestamp(timestamp, node))
  await miner.mineMany(blocks)
}

/** The newest block's time means the earliest valid time after it, because every other development node accepts it. */
function earliestTimestamp(timestamp: bigint, { chain, options }: MinedChain): bigint {
  const { header } = chain.head.block
  return timestamp === header.timestamp ? minTimestamp(header, options.allowSameTimestamp) : timestamp
}

/** Result of evm_mine by dialect. Clients of Anvil do not accept null. */
const MINED = { node33: null, hardhat: '0', ethereum: '0x0' } as const

export const mine = writeMethod({
  name: 'evm_mine',
  aliases: ['ganache_mine'],
  summary:
    'Mines a block of the pooled transactions, also an empty one; or several. Refused where mining is external. Returns null, in the dialects hardhat and ethereum `0` and `0x0`.',
  params: [mineOptions(MAX_BLOCKS)],
  result: z.enum(['0', '0x0']).nullable(),
  errors: ['miningRefused', 'limitExceeded'],
  example: { params: [], result: null },
  run: async ({ options }, node: MinedChain, { dialect }) => {
    await mineRequested(options, node)
    return MINED[dialect]
  },
})

export const startMining = command({
  name: 'evm_startMining',
  summary: 'Restores the mining mode of the start; if that was manual, automine mines pooled transactions.',
  example: { params: [], result: null },
  run: (_, { instance, miner }: Pick<Node, 'instance' | 'miner'>) => instance.lock.finish(miner.start()),
})

export const stopMining = command({
  name: 'evm_stopMining',
  summary: 'Stops automine and interval mining; evm_mine still mines. No effect where mining is external.',
  example: { params: [], result: null },
  run: (_, { miner }: Pick<Node, 'miner'>) => miner.stop(),
})

export const increaseTime = writeMethod({
  name: 'evm_increaseTime',
  aliases: ['anvil_increaseTime', 'hardhat_increaseTime', 'ganache_increaseTime'],
  summary:
    'Moves time forward for every later block; returns the seconds moved by so far: a quantity, in dialect hardhat a decimal string, in dialect ethereum a number.',
  params: [param('seconds', seconds, 'Seconds to move by.')],
  result: z.union([quantityText, z.string().regex(/^\d+$/), z.int()]),
  example: { params: ['0x1e'], result: '0x1e' },
  run: ({ seconds: span }, { clock }: Pick<Node, 'clock'>, { dialect }) => {
    clock.increase(span)
    if (dialect === 'node33') return toQuantity(clock.increased)
    return dialect === 'hardhat' ? clock.increased.toString() : Number(clock.increased)
  },
})

export const setNextBlockTimestamp = command({
  name: 'evm_setNextBlockTimestamp',
  aliases: ['anvil_setNextBlockTimestamp'],
  summary: 'Sets the time of the next block; time continues from there.',
  params: [param('timestamp', seconds, 'Seconds since the epoch, after the newest block.')],
  example: { params: ['0x77359400'], result: null },
  run: ({ timestamp }, { miner }: Pick<Node, 'miner'>) => miner.setNextTimestamp(timestamp),
})

export const setTime = writeMethod({
  name: 'evm_setTime',
  aliases: ['anvil_setTime'],
  summary: 'Sets the time, which continues from there; returns the seconds it moved by, negative if back.',
  params: [param('time', quantity64, 'Seconds since the epoch, or milliseconds.')],
  result: z.number(),
  example: { params: ['0x77359400'] },
  run: ({ time }, { clock }: Pick<Node, 'clock'>) => {
    const before = clock.now
    // A larger number is in milliseconds.
    clock.set(time > LAST_TIME ? time / 1000n : time)
    return Number(clock.now - before)
  },
})

/** Maximum number of blocks per call, because the result contains all of them. */
const MAX_DETAILED_BLOCKS = 1_000n

const detailedTransaction = transactionObject.extend({
  /** Return or revert data; the code of a created contract. */
  output: dataText,
  /** Present if the transaction failed. */
  revertReason: text.optional(),
})

const detailedBlock = blockObject.extend({ transactions: list(detailedTransaction) })

export const mineDetailed = writeMethod({
  name: 'evm_mine_detailed',
  aliases: ['anvil_mine_detailed'],
  summary: 'As evm_mine; returns the blocks with their transactions, their output, and reasons of failures.',
  params: [mineOptions(MAX_DETAILED_BLOCKS)],
  result: list(detailedBlock),
  errors: ['miningRefused'],
  run: async ({ options }, node: MinedChain) => {
    const { chain, miner } = node
    const before = chain.head.block.header.number
    await mineRequested(options, node)
    miner.makePostponedBlocks()
    const mined = Number(chain.head.block.header.number - before)
    return Array.from({ length: mined }, (_, index) => {
      const { block } = chain.get({ number: before + BigInt(index) + 1n })
      const transactions = block.receipts.map((receipt) => detailed(block, receipt, node))
      return { ...renderBlock({ block, isPending: false }, false), transactions }
    })
  },
})

function detailed(block: Block, receipt: Receipt, node: MinedChain): z.input<typeof detailedTransaction> {
  const { outcome } = receipt
  const transaction = { ...renderMined(block, receipt), output: toHex(outcome.returnData) }
  if (outcome.status === 'success') return transaction
  return { ...transaction, revertReason: failureText(outcome, node.customErrors.textOf) }
}
