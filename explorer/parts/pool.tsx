/** The pool: the transactions that wait, and why. */

import type { VNode } from 'preact'
import type { TransactionObject } from '../../lib/embed/rpc-types.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { amountOf } from '../format/amounts.ts'
import { Action } from './action.tsx'
import type { PartProps } from './field.tsx'
import { AddressLink, TransactionLink } from './hex.tsx'
import { miningFacts } from './mining-controls.tsx'
import { Amount, Count, Showing } from './page-parts.tsx'

interface Pooled {
  readonly transaction: TransactionObject
  readonly reason: string
}

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

/** Transactions by sender and nonce; the reference node lists those of a nonce. */
type PoolPart = Readonly<
  Record<string, Readonly<Record<string, TransactionObject | readonly TransactionObject[]>>>
>

async function pooled(): Promise<readonly Pooled[]> {
  const [{ pending, queued }, facts] = await Promise.all([ask('txpool_content'), miningFacts()])
  const all = (bySender: PoolPart): readonly TransactionObject[] =>
    Object.values(bySender).flatMap((byNonce) => Object.values(byNonce).flat())
  return [
    ...all(pending).map((transaction) => ({ transaction, reason: reasonOf(transaction, facts) })),
    ...(await Promise.all(
      all(queued).map(async (transaction) => {
        const next = await ask('eth_getTransactionCount', transaction.from, 'pending')
        return { transaction, reason: `no transaction of its sender has nonce ${Number(next)}` }
      }),
    )),
  ]
}

function reasonOf(
  { gasPrice, maxFeePerGas }: TransactionObject,
  { isAutomine, interval, baseFee, minimumGasPrice }: Awaited<ReturnType<typeof miningFacts>>,
): string {
  const asked = baseFee ?? minimumGasPrice
  const offered = maxFeePerGas ?? gasPrice
  if (asked !== undefined && offered !== undefined && BigInt(offered) < BigInt(asked)) {
    const what = baseFee === undefined ? 'minimum gas price' : 'base fee'
    return `it pays ${amountOf(BigInt(offered)).short} per gas, the ${what} is ${amountOf(BigInt(asked)).short}`
  }
  if (interval !== null) return `a block is mined every ${interval} s`
  return isAutomine ? 'the next block has not been mined' : 'blocks are mined only when asked for'
}
