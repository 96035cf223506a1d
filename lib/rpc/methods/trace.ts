/** Methods that return calls as flat lists (node-chain 3). Unlike the reference, every item has its own input and output. */

import * as z from 'zod'
import type { Address } from '../../base/hex.ts'
import { pausing } from '../../base/routine.ts'
import type { Routine } from '../../base/routine.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Chain } from '../../chain/chain.ts'
import { checkSearch, loadBlocks, ownBlocks } from '../../chain/search.ts'
import type { BlockRef } from '../../chain/miner/block-resolver.ts'
import { hashText } from '../../schema/results.ts'
import { traceFilter, tracePosition, tracedBlock } from '../../schema/trace.ts'
import type { TraceFilter } from '../../schema/trace.ts'
import { flatItem, opcodeGasResult } from '../../schema/trace-results.ts'
import { invalidParams, param, readMethod } from '../method.ts'
import { SENT, UNKNOWN_HASH } from './examples.ts'
import { ofMined, transactionHash } from './params.ts'

const items = z.array(flatItem)
const gasOfTransaction = opcodeGasResult.extend({ transactionHash: hashText })
const everything = { wants: () => true, after: 0, count: Infinity }

export const transaction = readMethod({
  name: 'trace_transaction',
  summary:
    'The calls of a mined transaction, callers first; null when it is unknown. Networks of the merged-mining kind leave out calls that ran no code.',
  params: [transactionHash],
  result: items.nullable(),
  example: { after: [SENT.step], params: [SENT.hash] },
  run: ofMined(({ entry, receipt }, { tracing }) =>
    tracing.flat([entry], { ...everything, wants: ({ index }) => index === receipt.index }),
  ),
})

export const block = readMethod({
  name: 'trace_block',
  summary: 'The calls of every transaction of a block, callers first; null when it is unknown.',
  params: [param('block', tracedBlock, 'Number, tag or hash of the block.')],
  result: items.nullable(),
  example: { params: ['earliest'], result: [] },
  run: ({ block: ref }, { blockResolver, tracing }) => {
    const entry = blockResolver.entry(ref)
    return entry === undefined ? null : tracing.flat([entry], everything)
  },
})

export const filter = readMethod({
  name: 'trace_filter',
  summary: 'Calls of transactions by blocks, sender and receiver; skips `after`, returns at most `count`.',
  params: [
    param('filter', traceFilter, 'fromBlock, toBlock, fromAddress, toAddress, after, count; all optional.'),
  ],
  result: items,
  errors: ['limitExceeded'],
  example: { params: [{ fromBlock: 'earliest', toBlock: 'latest', count: 10 }], result: [] },
  run: pausing(function* ({ filter: wanted }, { chain, tracing }) {
    const { fromAddress, toAddress } = wanted
    const wants = ({ transaction: { sender, to } }: Receipt) =>
      isAmong(sender, fromAddress) && isAmong(to, toAddress)
    return tracing.flat(yield* blocksIn(chain, wanted), { ...wanted, wants })
  }),
})

export const get = readMethod({
  name: 'trace_get',
  summary: 'One call of a mined transaction by its position in the flat list; null when it is unknown.',
  params: [transactionHash, param('positions', tracePosition, 'A list with one position.')],
  result: flatItem.nullable(),
  example: { params: [UNKNOWN_HASH, ['0x0']], result: null },
  run: ofMined(({ entry, receipt }, { tracing }, { positions }) =>
    tracing.flatItem(entry, receipt, positions),
  ),
})

export const transactionOpcodeGas = readMethod({
  name: 'trace_transactionOpcodeGas',
  summary: 'Count and gas of the instructions that a mined transaction executed; null when it is unknown.',
  params: [transactionHash],
  result: gasOfTransaction.nullable(),
  example: { after: [SENT.step], params: [SENT.hash], result: { transactionHash: SENT.hash, opcodeGas: [] } },
  run: ofMined(async ({ entry, receipt }, { tracing }) => {
    const [found] = await tracing.opcodeGas(entry, ({ index }) => index === receipt.index)
    return { transactionHash: receipt.transaction.hash, opcodeGas: found?.record ?? [] }
  }),
})

export const blockOpcodeGas = readMethod({
  name: 'trace_blockOpcodeGas',
  summary:
    'Count and gas of the instructions that each transaction of a block executed; null when it is unknown.',
  params: [param('block', tracedBlock, 'Number, tag or hash of the block.')],
  result: z
    .strictObject({
      blockHash: hashText,
      blockNumber: z.int().nonnegative(),
      transactions: z.array(gasOfTransaction),
    })
    .nullable(),
  example: { after: [SENT.step], params: ['latest'] },
  run: async ({ block: ref }, { blockResolver, tracing }) => {
    const entry = blockResolver.entry(ref)
    if (entry === undefined) return null
    const { hash, header } = entry.block
    const records = await tracing.opcodeGas(entry, () => true)
    const transactions = records.map(({ receipt, record }) => ({
      transactionHash: receipt.transaction.hash,
      opcodeGas: record,
    }))
    return { blockHash: hash, blockNumber: Number(header.number), transactions }
  },
})

/** Blocks with transactions in a range, oldest first, and all blocks of the remote; none if it begins above the head. @throws NodeError 'limitExceeded' */
function* blocksIn(chain: Chain, { fromBlock, toBlock }: TraceFilter): Routine<readonly ChainEntry[]> {
  const first = entryOf(chain, fromBlock ?? { tag: 'earliest' })
  const last = entryOf(chain, toBlock ?? { tag: 'latest' }) ?? chain.head
  if (first === undefined) return []
  const from = first.block.header.number
  const to = last.block.header.number
  if (from > to) throw invalidParams('fromBlock cannot be greater than toBlock')
  checkSearch(chain, { from, to })
  yield* loadBlocks(chain, { from, to }, false)
  const remote: ChainEntry[] = []
  const lastRemote = chain.remote?.last ?? -1n
  for (let number = from; number <= to && number <= lastRemote; number++) remote.push(chain.get({ number }))
  const own = ownBlocks(chain, from).filter(({ number }) => BigInt(number) <= to)
  return [...remote, ...own.reverse()]
}

/** The block at a bound of the range. `pending` means the head, because pending transactions are not traced. */
function entryOf(chain: Chain, ref: BlockRef): ChainEntry | undefined {
  if (!('tag' in ref)) return chain.find(ref)
  return chain.find({ tag: ref.tag === 'pending' ? 'latest' : ref.tag })
}

/** An absent list matches every address. */
const isAmong = (address: Address | undefined, wanted: readonly Address[] | undefined): boolean =>
  wanted === undefined || (address !== undefined && wanted.includes(address))
