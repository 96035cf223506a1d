/** The pool: the transactions that wait, and why. */

import type { VNode } from 'preact'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { pooled } from '../client/pool.ts'
import type { Pooled } from '../client/pool.ts'
import { Action } from './action.tsx'
import type { PartProps } from './field.tsx'
import { AddressLink, TransactionLink } from './hex.tsx'
import { Amount, Count, Showing } from './page-parts.tsx'

export function Pool({ version, changed }: PartProps): VNode {
  const pool = useLoaded(pooled, ['pool', version])
  return (
    <Showing of={pool}>
      {(all) =>
        all.length === 0 ? (
          <p class="quiet">No transaction waits.</p>
        ) : (
          <div class="wide">
            <table>
              <thead>
                <tr>
                  <th>Transaction</th>
                  <th>From</th>
                  <th class="number">Nonce</th>
                  <th class="number">Value</th>
                  <th>Why it waits</th>
                  <th>Actions</th>
                </tr>
              </thead>
              <tbody>
                {all.map((one) => (
                  <PooledRow key={one.transaction.hash} of={one} changed={changed} />
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Showing>
  )
}

const PooledRow = ({
  of: { transaction, reason },
  changed,
}: Pick<PartProps, 'changed'> & { readonly of: Pooled }): VNode => (
  <tr>
    <td>
      <TransactionLink value={transaction.hash} />
    </td>
    <td>
      <AddressLink value={transaction.from} />
    </td>
    <td class="number">
      <Count of={transaction.nonce} />
    </td>
    <td class="number">
      <Amount wei={transaction.value} />
    </td>
    <td>{reason}</td>
    <td>
      <Action
        label="Drop"
        of={`transaction ${transaction.hash}`}
        run={async () => {
          await ask('hardhat_dropTransaction', transaction.hash)
          changed()
          return undefined
        }}
      />
    </td>
  </tr>
)
