/** The transactions of an address in pages, from the node's index or by running the blocks. */

import * as z from 'zod'
import { toQuantity } from '../../../base/hex.ts'
import { transactionsOfAddress, type AddressPage } from '../../../chain/address-transactions.ts'
import type { Chain } from '../../../chain/chain.ts'
import type { MinedReceipt } from '../../../chain/chain-index.ts'
import { optional, optionalWith, address, index, quantity64 } from '../../../schema/wire.ts'
import { addressText, hashText, list, quantityText } from '../../../schema/results.ts'
import { receiptObject, transactionObject } from '../../../schema/results.ts'
import { param, readMethod } from '../../../kernel/method.ts'
import { jsonStream } from '../../../kernel/raw-json.ts'
import { renderMined, renderReceipt } from '../../../rpc/render/block.ts'
import { SENT, COW1 } from '../../../rpc/methods/params.ts'
import type { TracedChain } from '../scope.ts'

/** Maximum and default number of transactions in one answer. */
const MAX_COUNT = 100
const DEFAULT_COUNT = 25

const count = index.refine(
  (count) => count >= 1 && count <= MAX_COUNT,
  `expected a number from 1 to ${MAX_COUNT}`,
)

const position = z.strictObject(
  { blockNumber: quantity64, transactionIndex: index.optional() },
  'expected {blockNumber, transactionIndex}',
)

const RANGE_EXPECTED = 'expected {before} or {after}'

const range = z
  .strictObject(
    { before: optional(position).optional(), after: optional(position).optional() },
    RANGE_EXPECTED,
  )
  .refine(({ before, after }) => before === undefined || after === undefined, RANGE_EXPECTED)

const positionObject = z.strictObject({ blockNumber: quantityText, transactionIndex: quantityText })

const addressTransaction = transactionObject.extend({
  /** `0x1` if it succeeded, `0x0` if it failed. */
  status: quantityText,
  gasUsed: quantityText,
  /** Address of the created contract; null if it is not a creation. */
  contractAddress: addressText.nullable(),
})

const addressTransactions = readMethod({
  name: 'dev_addressTransactions',
  summary: `The mined transactions of which an address is the sender, the receiver or the created contract, newest first, with status, gasUsed and contractAddress of their receipts. The node has an index of them, which it builds at the first call and extends at later ones. Transactions that reach the address by a call of another contract are left out: ots_searchTransactionsBefore runs the blocks to find them. On a fork the remote's transactions are left out.`,
  params: [
    param('address', address, 'Sender, receiver or created contract.'),
    param(
      'range',
      optional(range),
      'The newest transactions if left out. before: the newest ones before this position. after: the oldest ones after it. A position is {blockNumber, transactionIndex}; without transactionIndex it is the whole block.',
    ),
    param('count', optionalWith(count, DEFAULT_COUNT), 'Transactions: 25 if left out, at most 100.'),
  ],
  result: z.strictObject({
    transactions: list(addressTransaction),
    /** Number of transactions of the address on all pages. */
    total: z.int(),
    /** Number of the first block in the index; above 0 on a fork. */
    firstBlock: quantityText,
    /** Pass it as `before` to get the next older ones; null if there are none. */
    older: positionObject.nullable(),
    /** Pass it as `after` to get the next newer ones; null if there are none. */
    newer: positionObject.nullable(),
  }),
  example: {
    after: [SENT.step],
    params: ['0x00000000000000000000000000000000000000ee', {}, 10],
    result: { transactions: [], total: 0, firstBlock: '0x0', older: null, newer: null },
  },
  run: ({ address: wanted, range: { before, after } = {}, count: size }, { chain }: TracedChain) =>
    jsonStream(async () => {
      const page = await transactionsOfAddress(chain, {
        address: wanted,
        count: size,
        before: before && { block: Number(before.blockNumber), index: before.transactionIndex ?? 0 },
        from: after && { block: Number(after.blockNumber), index: (after.transactionIndex ?? Infinity) + 1 },
      })
      return rendered(page, chain)
    }),
})

const rendered = ({ found, total, hasNewer, hasOlder }: AddressPage, { remote }: Chain) => ({
  transactions: found.map(({ entry, receipt }) => ({
    ...renderMined(entry.block, receipt),
    status: receipt.outcome.status === 'success' ? '0x1' : '0x0',
    gasUsed: toQuantity(receipt.outcome.gasUsed),
    contractAddress: receipt.outcome.contractAddress ?? null,
  })),
  total,
  firstBlock: toQuantity(remote === undefined ? 0n : remote.last + 1n),
  older: hasOlder ? positionOf(found.at(-1)) : null,
  newer: hasNewer ? positionOf(found.at(0)) : null,
})

function positionOf(mined: MinedReceipt | undefined): z.input<typeof positionObject> | null {
  if (mined === undefined) return null
  return { blockNumber: toQuantity(mined.entry.number), transactionIndex: toQuantity(mined.receipt.index) }
}

/** A page of an account's transactions, newest first. */
const transactionPage = z.strictObject({
  txs: z.array(transactionObject),
  receipts: z.array(receiptObject.extend({ timestamp: quantityText })),
  firstPage: z.boolean(),
  lastPage: z.boolean(),
})

const account = param('address', address, 'Account: sender, receiver, or part of an inner call.')
const pageSize = param('pageSize', index, 'Minimum per page; the transactions of one block are on one page.')

/** Declares a search on one side of a block. Block 0 means no block, so that the search begins at that end of the chain. */
const searchMethod = (name: string, order: 'before' | 'after', [side, end]: readonly [string, string]) =>
  readMethod({
    name,
    summary: `The transactions that touched an account in the blocks ${side} a number, newest first.`,
    params: [account, param('block', quantity64, `Number of the block; 0 for the ${end} page.`), pageSize],
    result: transactionPage,
    example: {
      params: [COW1, 0, 25],
      result: { txs: [], receipts: [], firstPage: true, lastPage: true },
    },
    run: ({ address: wanted, block, pageSize: size }, { accountHistory }: TracedChain) =>
      jsonStream(async () => {
        const begin = block === 0n ? undefined : block
        const { found, hasMore } = await accountHistory[order](wanted, begin, size)
        const [isFirst, isLast] = [begin === undefined, !hasMore]
        return {
          txs: found.map(({ entry, receipt }) => renderMined(entry.block, receipt)),
          receipts: found.map(({ entry: { block: mined }, receipt }) => ({
            ...renderReceipt(mined, receipt),
            timestamp: toQuantity(mined.header.timestamp),
          })),
          // The first page has the newest transactions.
          firstPage: order === 'before' ? isFirst : isLast,
          lastPage: order === 'before' ? isLast : isFirst,
        }
      }),
  })

const searchTransactions = [
  searchMethod('ots_searchTransactionsBefore', 'before', ['below', 'newest']),
  searchMethod('ots_searchTransactionsAfter', 'after', ['above', 'oldest']),
]

/** The transaction that created a contract, and the account that created it. */
const contractCreator = z.strictObject({ hash: hashText, creator: addressText })

const getContractCreator = readMethod({
  name: 'ots_getContractCreator',
  summary: 'Creator of a contract, and the transaction; null without a contract that a transaction created.',
  params: [param('address', address, 'Contract.')],
  result: contractCreator.nullable(),
  example: { params: [COW1], result: null },
  run: ({ address: contract }, { accountHistory }: TracedChain) =>
    jsonStream(async () => (await accountHistory.creation(contract)) ?? null),
})

export const addressTransactionMethods = [addressTransactions, searchTransactions, getContractCreator]
