/** A table of transactions. */

import type { VNode } from 'preact'
import type { TransactionObject } from '../../lib/embedded/rpc-types.ts'
import { AddressLink, TransactionLink } from './hex.tsx'
import { Amount } from './page-parts.tsx'

export const TransactionTable = ({
  transactions,
}: {
  readonly transactions: readonly TransactionObject[]
}): VNode => (
  <table>
    <thead>
      <tr>
        <th>Transaction</th>
        <th>From</th>
        <th>To</th>
        <th class="number">Value</th>
      </tr>
    </thead>
    <tbody>
      {transactions.map(({ hash, from, to, value }) => (
        <tr key={hash}>
          <td>
            <TransactionLink value={hash} />
          </td>
          <td>
            <AddressLink value={from} />
          </td>
          <td>{to === null ? <span class="quiet">new contract</span> : <AddressLink value={to} />}</td>
          <td class="number">
            <Amount wei={value} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
