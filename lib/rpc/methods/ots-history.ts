/** ots_*: the transactions of an account, page by page, and the creator of a contract. */

import type * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import type { MinedReceipt } from '../../chain/segment.ts'
import { contractCreator, transactionPage } from '../../schema/otterscan.ts'
import { address, index, quantity64 } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { jsonStream } from '../raw-json.ts'
import { renderMined, renderReceipt } from '../render/transaction.ts'
import { COW1 } from './examples.ts'

const account = param('address', address, 'Account: sender, receiver, or part of an inner call.')
const pageSize = param(
  'pageSize',
  index,
  'Minimum number of transactions per page; those of one block are on one page.',
)

/** Zero means no block: the search begins at the end of the chain. */
const numberOf = (block: bigint): bigint | undefined => (block === 0n ? undefined : block)

function pageOf(
  found: readonly MinedReceipt[],
  place: { readonly firstPage: boolean; readonly lastPage: boolean },
): z.input<typeof transactionPage> {
  return {
    txs: found.map(({ entry, receipt }) => renderMined(entry.block, receipt)),
    receipts: found.map(({ entry: { block }, receipt }) => ({
      ...renderReceipt(block, receipt),
      timestamp: toQuantity(block.header.timestamp),
    })),
    ...place,
  }
}

export const searchTransactionsBefore = method({
  name: 'ots_searchTransactionsBefore',
  summary: 'The transactions that touched an account in the blocks below a number, newest first.',
  params: [account, param('block', quantity64, 'Number of the block; 0 for the newest page.'), pageSize],
  result: transactionPage,
  example: { params: [COW1, 0, 25], result: { txs: [], receipts: [], firstPage: true, lastPage: true } },
  run: ({ address: wanted, block, pageSize: count }, { accountHistory }) =>
    jsonStream(async () => {
      const { found, hasMore } = await accountHistory.before(wanted, numberOf(block), count)
      return pageOf(found, { firstPage: block === 0n, lastPage: !hasMore })
    }),
})

export const searchTransactionsAfter = method({
  name: 'ots_searchTransactionsAfter',
  summary: 'The transactions that touched an account in the blocks above a number, newest first.',
  params: [account, param('block', quantity64, 'Number of the block; 0 for the oldest page.'), pageSize],
  result: transactionPage,
  example: { params: [COW1, 0, 25], result: { txs: [], receipts: [], firstPage: true, lastPage: true } },
  run: ({ address: wanted, block, pageSize: count }, { accountHistory }) =>
    jsonStream(async () => {
      const { found, hasMore } = await accountHistory.after(wanted, numberOf(block), count)
      return pageOf(found, { firstPage: !hasMore, lastPage: block === 0n })
    }),
})

export const getContractCreator = method({
  name: 'ots_getContractCreator',
  summary:
    'Creator of the contract at an address, and the transaction; null if there is no contract, or no transaction created it.',
  params: [param('address', address, 'Contract.')],
  result: contractCreator.nullable(),
  example: { params: [COW1], result: null },
  run: ({ address: contract }, { accountHistory }) =>
    jsonStream(async () => {
      const creation = await accountHistory.creation(contract)
      return creation === undefined ? null : { hash: creation.transactionHash, creator: creation.creator }
    }),
})
