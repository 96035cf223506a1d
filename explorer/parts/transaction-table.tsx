/** A table of transactions as sentences. */

import './transaction-table.css'
import type { ComponentChildren, VNode } from 'preact'
import type { ReceiptObject, TransactionObject } from '../../lib/embed/rpc-types.ts'
import { Age } from './age.tsx'
import { BlockLink, CopyButton } from './hex.tsx'
import { Count } from './page-parts.tsx'
import { Reason, Sentence } from './sentence.tsx'
import { Table } from './table.tsx'
import type { TableProps } from './table.tsx'

interface TransactionTableProps {
  readonly transactions: readonly Listed[]
  /** Their receipts; left out for transactions that have a status of their own. */
  readonly receipts?: readonly Ending[]
  /** The page is that of their block, which is not named in every row. */
  readonly isOneBlock?: boolean
  /** The table of a list that can be long: LongTable, which the first page leaves out. */
  readonly as?: (props: TableProps<Listed>) => VNode
  /** What is shown below the sentence. */
  readonly children?: (transaction: TransactionObject) => ComponentChildren
}

/** How a transaction ended. */
type Ending = Pick<ReceiptObject, 'transactionHash' | 'status' | 'gasUsed'>

/** A transaction, with its ending if it is known, and why it waits if it is in the pool. */
export type Listed = TransactionObject & Partial<Ending> & { readonly waitsFor?: string }

export function TransactionTable(props: TransactionTableProps): VNode {
  const { transactions, receipts = [], isOneBlock = false, as: Shown = Table, children } = props
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  return (
    <Shown
      items={transactions}
      label="Transactions"
      class="transactions"
      head={
        <>
          {isOneBlock && <th class="number">#</th>}
          <th>Transaction</th>
          {!isOneBlock && <th>Block</th>}
          <th class="number">Gas</th>
        </>
      }
    >
      {(one, index) => (
        <>
          {isOneBlock && <td class="number quiet">{index}</td>}
          <td>
            <Sentence transaction={one} />
            <CopyButton text={one.hash} what="hash" />
            <Failure of={{ ...byHash.get(one.hash), ...one }} />
            {children?.(one)}
          </td>
          {!isOneBlock && (
            <td>
              <Place of={one} />
            </td>
          )}
          <td class="number">
            <Count of={byHash.get(one.hash)?.gasUsed ?? one.gasUsed ?? one.gas} />
          </td>
        </>
      )}
    </Shown>
  )
}

/** Why a transaction failed, or why it waits. */
function Failure({ of: { hash, status, waitsFor } }: { readonly of: Listed }): VNode | null {
  if (waitsFor !== undefined) return <div class="quiet">{waitsFor}</div>
  if (status !== '0x0') return null
  return (
    <div>
      <span class="badge bad">reverted</span> <Reason hash={hash} />
    </div>
  )
}

const Place = ({ of }: { readonly of: Listed }): VNode =>
  of.blockNumber === null ? (
    <span class="badge warn">pending</span>
  ) : (
    <>
      <BlockLink number={Number(of.blockNumber)} />{' '}
      {of.blockTimestamp !== null && <Age seconds={Number(of.blockTimestamp)} />}
    </>
  )
