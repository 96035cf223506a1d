/** A table of transactions. */

import type { VNode } from 'preact'
import type { ReceiptObject, TransactionObject } from '../../lib/embed/rpc-types.ts'
import { AddressLink, TransactionLink } from './hex.tsx'
import { LongTable } from './long-table.tsx'
import { Amount, Count, Status } from './page-parts.tsx'

interface TransactionTableProps {
  readonly transactions: readonly Listed[]
  /** Their receipts; left out for pooled transactions, and for transactions that have a status of their own. */
  readonly receipts?: readonly Ending[]
}

/** How a transaction ended. */
type Ending = Pick<ReceiptObject, 'transactionHash' | 'status' | 'gasUsed' | 'contractAddress'>

/** A transaction, with its ending if it is known. */
type Listed = TransactionObject & Partial<Ending>

export function TransactionTable({ transactions, receipts = [] }: TransactionTableProps): VNode {
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  const endingOf = (one: Listed) => (one.gasUsed === undefined ? byHash.get(one.hash) : one)
  const hasReceipts = transactions.some((one) => endingOf(one) !== undefined)
  return (
    <LongTable
      items={transactions}
      label="Transactions"
      head={
        <>
          <th>Transaction</th>
          {hasReceipts && <th>Outcome</th>}
          <th>From</th>
          <th>To</th>
          <th class="number">Value</th>
          {hasReceipts && <th class="number">Gas used</th>}
        </>
      }
    >
      {(transaction) => (
        <Row transaction={transaction} receipt={endingOf(transaction)} hasReceipts={hasReceipts} />
      )}
    </LongTable>
  )
}

interface RowProps {
  readonly transaction: TransactionObject
  readonly receipt: Partial<Ending> | undefined
  readonly hasReceipts: boolean
}

const Row = ({ transaction: { hash, from, to, value }, receipt, hasReceipts }: RowProps): VNode => (
  <>
    <td>
      <TransactionLink value={hash} />
    </td>
    {hasReceipts && (
      <td>{receipt && <Status status={receipt.status === '0x0' ? 'reverted' : 'success'} />}</td>
    )}
    <td>
      <AddressLink value={from} />
    </td>
    <td>{to === null ? <NewContract address={receipt?.contractAddress} /> : <AddressLink value={to} />}</td>
    <td class="number">
      <Amount wei={value} />
    </td>
    {hasReceipts && (
      <td class="number">{receipt?.gasUsed !== undefined && <Count of={receipt.gasUsed} />}</td>
    )}
  </>
)

const NewContract = ({ address }: { readonly address: string | null | undefined }): VNode =>
  address === undefined || address === null ? (
    <span class="quiet">new contract</span>
  ) : (
    <>
      <span class="quiet">new</span> <AddressLink value={address} />
    </>
  )
