/** The transactions of an account, page by page. */

import type { VNode } from 'preact'
import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { calmVersion } from '../client/calm-version.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { linkTo } from '../client/query.ts'
import { grouped } from '../format/amounts.ts'
import { Showing } from './page-parts.tsx'
import { TouchingTransactions } from './touching-transactions.tsx'
import { TransactionTable } from './transaction-table.tsx'

/** Transactions of a page. */
const PAGE = 25

/** An address, and the query in the URL: the page of a list or a filter. */
export interface PartProps {
  readonly address: string
  readonly query: string
}

type Page = RpcMethods['dev_addressTransactions']['result']
type Position = NonNullable<Page['older']>

export function AccountTransactions({ address, query: text }: PartProps): VNode {
  const query = new URLSearchParams(text)
  return query.get('internal') === 'yes' ? (
    <TouchingTransactions address={address} query={text} />
  ) : (
    <OwnTransactions address={address} query={text} />
  )
}

/** Those of which the account is sender, receiver or created contract, from the index of the node. */
function OwnTransactions({ address, query: text }: PartProps): VNode {
  const query = new URLSearchParams(text)
  const range = rangeOf(positionIn(query.get('before')), positionIn(query.get('after')))
  const found = useLoaded(
    () => ask('dev_addressTransactions', address, range, PAGE),
    [`${address} ${JSON.stringify(range)}`, calmVersion.value],
  )
  const path = `/address/${address}/transactions`
  return (
    <Showing of={found}>
      {(page) => (
        <>
          <p class="quiet">
            {countText(page)} <a href={linkTo(path, { internal: 'yes' })}>Search calls of contracts too</a>
          </p>
          {page.transactions.length > 0 && <TransactionTable transactions={page.transactions} />}
          <Pages page={page} path={path} isNewest={range === null} />
        </>
      )}
    </Showing>
  )
}

function countText({ total, firstBlock }: Page): string {
  const since = Number(firstBlock) === 0 ? '' : ` since block ${grouped(Number(firstBlock))}`
  if (total === 0) return `No transaction of this account${since}.`
  return total === 1 ? `One transaction${since}.` : `${grouped(total)} transactions${since}, newest first.`
}

interface PagesProps {
  readonly page: Page
  readonly path: string
  readonly isNewest: boolean
}

const Pages = ({ page: { newer, older }, path, isNewest }: PagesProps): VNode => (
  <nav class="steps" aria-label="Pages of transactions">
    {!isNewest && <a href={linkTo(path, {})}>Newest</a>}
    {newer !== null && <a href={linkTo(path, { after: textOf(newer) })}>← Newer</a>}
    {older !== null && <a href={linkTo(path, { before: textOf(older) })}>Older →</a>}
  </nav>
)

const rangeOf = (before: Position | undefined, after: Position | undefined) => {
  if (before !== undefined) return { before }
  return after === undefined ? null : { after }
}

/** A position in a URL: block and index, such as `36.0`. */
const textOf = ({ blockNumber, transactionIndex }: Position): string =>
  `${Number(blockNumber)}.${Number(transactionIndex)}`

function positionIn(text: string | null): Position | undefined {
  const [, blockNumber, transactionIndex] = /^(\d{1,15})\.(\d{1,9})$/.exec(text ?? '') ?? []
  return blockNumber === undefined || transactionIndex === undefined
    ? undefined
    : { blockNumber, transactionIndex }
}
