/** Methods that return calls as flat lists (node-chain 3). Unlike the reference, every item has its own input and output. */

import { invalidParams } from '../../../base/errors.ts'
import * as z from 'zod'
import type { Address } from '../../../base/hex.ts'
import type { Routine } from '../../../base/routine.ts'
import type { Receipt } from '../../../chain/block.ts'
import type { ChainEntry } from '../../../chain/chain-entry.ts'
import { checkSearch, loadBlocks, ownBlocks } from '../../../chain/search.ts'
import type { Dialect } from '../../../config/dialect.ts'
import type { Node } from '../../../node/node.ts'
import { hashText } from '../../../schema/results.ts'
import { traceFilter, tracePosition, tracedBlock, type TraceFilter } from '../params.ts'
import { flatItem, opcodeGasResult } from '../results.ts'
import { param, readMethod } from '../../../kernel/method.ts'
import { SENT, UNKNOWN_HASH, ofMined, transactionHash } from '../../../rpc/methods/params.ts'
import type { TracedChain } from '../scope.ts'

const items = z.array(flatItem)
const gasOfTransaction = opcodeGasResult.extend({ transactionHash: hashText })
/** Maximum number of items in a result, and of items to skip, where transactions are filtered (node-chain 3.1). */
const MAX_TRACES = 10_000

const everything = { wants: () => true, after: 0, count: Infinity }

const transaction = readMethod({
  name: 'trace_transaction',
  summary:
    'The calls of a mined transaction, callers first; null when it is unknown. Network 33 leaves out calls that ran no code.',
  params: [transactionHash],
  result: items.nullable(),
  example: { after: [SENT.step], params: [SENT.hash] },
  run: ofMined(({ entry, receipt }, { tracing }: TracedChain) =>
    tracing.flat([entry], { ...everything, wants: ({ index }) => index === receipt.index }),
  ),
})

const block = readMethod({
  name: 'trace_block',
  summary: 'The calls of every transaction of a block, callers first; null when it is unknown.',
  params: [param('block', tracedBlock, 'Number, tag or hash of the block.')],
  result: items.nullable(),
  example: { params: ['earliest'], result: [] },
  run: ({ block: ref }, { blockResolver, tracing }: TracedChain) => {
    const entry = blockResolver.entry(ref)
    return entry === undefined ? null : tracing.flat([entry], everything)
  },
})

const filter = readMethod({
  name: 'trace_filter',
  summary:
    'Calls by blocks, senders and receivers; skips `after`, returns at most `count`. Of two lists, one has to match, with `mode: "intersection"` both. Network 33 returns whole transactions, of which both lists have to match.',
  params: [
    param(
      'filter',
      traceFilter,
      'fromBlock, toBlock, fromAddress, toAddress, mode, after, count; all optional.',
    ),
  ],
  result: items,
  errors: ['limitExceeded'],
  example: { params: [{ fromBlock: 'earliest', toBlock: 'latest', count: 10 }], result: [] },
  *run({ filter: wanted }, node: TracedChain, { dialect }) {
    const filtersTransactions = !node.network.tracesAsParity
    const { after, count = filtersTransactions ? MAX_TRACES : Infinity } = wanted
    const tooBig = Object.entries({ After: after, Count: count }).find(([, value]) => value > MAX_TRACES)
    if (filtersTransactions && tooBig !== undefined)
      throw invalidParams(
        `${tooBig[0]} value too big. Maximum ${MAX_TRACES} traces allowed, got ${tooBig[1]}`,
      )
    const shows = matcherOf(wanted, filtersTransactions ? 'intersection' : 'union')
    const wants = ({ transaction: { sender, to } }: Receipt) => shows({ from: sender, to })
    const chosen = filtersTransactions ? { wants } : { wants: everything.wants, shows }
    return node.tracing.flat(yield* blocksIn(node, wanted, dialect), { after, count, ...chosen })
  },
})

const get = readMethod({
  name: 'trace_get',
  summary: 'One call of a mined transaction by its position in the flat list; null when it is unknown.',
  params: [transactionHash, param('positions', tracePosition, 'A list with one position.')],
  result: flatItem.nullable(),
  example: { params: [UNKNOWN_HASH, ['0x0']], result: null },
  run: ofMined(({ entry, receipt }, { tracing }: TracedChain, { positions }) =>
    tracing.flatItem(entry, receipt, positions),
  ),
})

const transactionOpcodeGas = readMethod({
  name: 'trace_transactionOpcodeGas',
  summary: 'Count and gas of the instructions that a mined transaction executed; null when it is unknown.',
  params: [transactionHash],
  result: gasOfTransaction.nullable(),
  example: { after: [SENT.step], params: [SENT.hash], result: { transactionHash: SENT.hash, opcodeGas: [] } },
  run: ofMined(async ({ entry, receipt }, { tracing }: TracedChain) => {
    const [recorded] = await tracing.opcodeGas(entry, ({ index }) => index === receipt.index)
    return { transactionHash: receipt.transaction.hash, opcodeGas: recorded?.record ?? [] }
  }),
})

const blockOpcodeGas = readMethod({
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
  run: async ({ block: ref }, { blockResolver, tracing }: TracedChain) => {
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

/**
 * Blocks with transactions in a range, oldest first, and all remote blocks. In the reference node's dialect, a range that begins
 * above the head is empty (node-chain 3.1). @throws NodeError 'limitExceeded', 'invalidParams'
 */
function* blocksIn(
  { chain, blockResolver }: Pick<Node, 'chain' | 'blockResolver'>,
  { fromBlock, toBlock }: TraceFilter,
  dialect: Dialect,
): Routine<readonly ChainEntry[]> {
  const first = blockResolver.entry(fromBlock ?? { tag: 'earliest' })
  const last = blockResolver.entry(toBlock ?? { tag: 'latest' }) ?? chain.head
  if (first === undefined && dialect === 'node33') return []
  const from = first?.block.header.number
  const to = last.block.header.number
  if (from === undefined || from > to) throw invalidParams('fromBlock cannot be greater than toBlock')
  checkSearch(chain, { from, to })
  yield* loadBlocks(chain, { from, to }, false)
  const remote: ChainEntry[] = []
  const lastRemote = chain.remote?.last ?? -1n
  for (let number = from; number <= to && number <= lastRemote; number++) remote.push(chain.get({ number }))
  return [...remote, ...ownBlocks({ head: last }, from).reverse()]
}

/** Matches by the lists of addresses. A union needs both lists (alloy, rpc-types-trace/src/filter.rs, TraceFilterMatcher). */
function matcherOf({ fromAddress, toAddress, mode }: TraceFilter, defaultMode: TraceFilter['mode']) {
  const isUnion = (mode ?? defaultMode) === 'union' && fromAddress.length > 0 && toAddress.length > 0
  return ({ from, to }: { readonly from: Address; readonly to: Address | undefined }): boolean => {
    const [isSender, isReceiver] = [fromAddress.includes(from), to !== undefined && toAddress.includes(to)]
    if (isUnion) return isSender || isReceiver
    return (isSender || fromAddress.length === 0) && (isReceiver || toAddress.length === 0)
  }
}

export const flatTraceMethods = [transaction, block, filter, get, transactionOpcodeGas, blockOpcodeGas]
