/** The pool: the transactions that wait, and why. */

import type { VNode } from 'preact'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { pooled } from '../client/pool.ts'
import type { Pooled } from '../client/pool.ts'
import { Action } from './action.tsx'
import { ColumnTable } from './column-table.tsx'
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
          <ColumnTable
            title="Waiting transactions"
            items={all}
            columns={[
              ['Transaction', ({ transaction }) => <PooledSentence of={transaction} />],
              ['Nonce', ({ transaction }) => <Count of={transaction.nonce} />, 'number'],
              ['Why it waits', ({ reason }) => reason],
              ['Actions', ({ transaction: { hash } }) => <Drop key={hash} hash={hash} changed={changed} />],
            ]}
          />
        )
      }
    </Showing>
  )
}

const PooledSentence = ({ of }: { readonly of: Pooled['transaction'] }): VNode => (
  <>
    <Sentence transaction={of} />
    <CopyButton text={of.hash} what="hash" />
  </>
)

const Drop = ({ hash, changed }: Pick<PartProps, 'changed'> & { readonly hash: string }): VNode => (
  <Action
    label="Drop"
    of={`transaction ${hash}`}
    drops={() => 'It leaves the pool.'}
    run={async () => {
      await ask('hardhat_dropTransaction', hash)
      changed()
      return undefined
    }}
  />
)
