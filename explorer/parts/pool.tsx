/** The pool: the transactions that wait, and why. */

import type { VNode } from 'preact'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { pooled } from '../client/pool.ts'
import type { Pooled } from '../client/pool.ts'
import { Action } from './action.tsx'
import type { PartProps } from './field.tsx'
import { CopyButton } from './hex.tsx'
import { Count, Showing } from './page-parts.tsx'
import { Sentence } from './sentence.tsx'

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
                  <th class="number">Nonce</th>
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
      <Sentence transaction={transaction} />
      <CopyButton text={transaction.hash} what="hash" />
    </td>
    <td class="number">
      <Count of={transaction.nonce} />
    </td>
    <td>{reason}</td>
    <td>
      <Action
        label="Drop"
        of={`transaction ${transaction.hash}`}
        drops={() => 'It leaves the pool.'}
        run={async () => {
          await ask('hardhat_dropTransaction', transaction.hash)
          changed()
          return undefined
        }}
      />
    </td>
  </tr>
)
