/** The transactions that touched an account, also by calls of contracts, page by page. The node runs blocks to find them. */

import type { VNode } from 'preact'
import { calmVersion } from '../client/calm-version.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { linkTo, numberIn } from '../client/query.ts'
import type { PartProps } from './account-transactions.tsx'
import { LongTable } from './long-table.tsx'
import { Showing } from './page-parts.tsx'
import { TransactionTable } from './transaction-table.tsx'

/** Transactions of a page at least: those of one block are on one page. */
const PAGE = 25

export function TouchingTransactions({ address, query: text }: PartProps): VNode {
  const query = new URLSearchParams(text)
  const [before, after] = [numberIn(query.get('before')), numberIn(query.get('after'))]
  const path = `/address/${address}/transactions`
  const linkOf = (values: Readonly<Record<string, number>>): string =>
    linkTo(path, { internal: 'yes', ...values })
  const found = useLoaded(
    () =>
      after === undefined
        ? ask('ots_searchTransactionsBefore', address, before ?? 0, PAGE)
        : ask('ots_searchTransactionsAfter', address, after, PAGE),
    [`${address} ${before} ${after}`, calmVersion.value],
  )
  return (
    <Showing of={found}>
      {({ txs, receipts, firstPage, lastPage }) =>
        txs.length === 0 ? (
          <p class="quiet">
            No transaction has touched this account. <a href={linkTo(path, {})}>Without calls</a>
          </p>
        ) : (
          <>
            <p class="quiet">
              Also those in which a contract called it or sent to it.{' '}
              <a href={linkTo(path, {})}>Without calls</a>
            </p>
            <TransactionTable transactions={txs} receipts={receipts} as={LongTable} />
            <nav class="steps" aria-label="Pages of transactions">
              {!firstPage && (
                <>
                  <a href={linkOf({})}>Newest</a>
                  <a href={linkOf({ after: blockOf(txs.at(0)) })}>← Newer</a>
                </>
              )}
              {!lastPage && <a href={linkOf({ before: blockOf(txs.at(-1)) })}>Older →</a>}
            </nav>
          </>
        )
      }
    </Showing>
  )
}

const blockOf = (transaction: { readonly blockNumber: string | null } | undefined): number =>
  Number(transaction?.blockNumber)
