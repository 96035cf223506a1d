/** The balance of an account over time, as a line and as a table. */

import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import 'uplot/dist/uPlot.min.css'
import { calmVersion } from '../client/calm-version.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { coinName } from '../format/amounts.ts'
import { BlockLink } from './hex.tsx'
import { LongList } from './long-list.tsx'
import { Amount, Section, Showing } from './page-parts.tsx'
import './address.css'

/** A balance after a block. */
export interface BalancePoint {
  readonly block: number
  readonly wei: bigint
}

/** Transactions whose blocks are looked at. */
const TRANSACTIONS = 100

/** Blocks that are looked at besides, because fees of blocks and edits of the state need no transaction of the account. */
const SPREAD = 40

/** Blocks between two that are looked at, so that a chain of a few blocks is seen whole. */
const everyOf = (first: number, head: number): number => Math.max(1, Math.ceil((head - first) / SPREAD))

/** Balances at the blocks of the newest transactions, before them, and at some blocks of the whole chain. */
async function balancesOf(address: string): Promise<readonly BalancePoint[]> {
  const [head, { forkedNetwork }, { transactions }] = await Promise.all([
    ask('eth_blockNumber').then(Number),
    ask('anvil_metadata'),
    ask('dev_addressTransactions', address, null, TRANSACTIONS),
  ])
  // The blocks of the remote are many, and asking it is slow.
  const first = forkedNetwork === null ? 0 : forkedNetwork.forkBlockNumber
  const numbers = new Set([first, head])
  for (let at = first; at < head; at += everyOf(first, head)) numbers.add(at)
  for (const { blockNumber } of transactions) {
    const number = Number(blockNumber)
    for (const near of [number - 1, number]) if (near >= first) numbers.add(near)
  }
  const sorted = [...numbers].sort((a, b) => a - b)
  const balances = await Promise.all(
    sorted.map((block) => ask('eth_getBalance', address, `0x${block.toString(16)}`)),
  )
  return sorted.map((block, index) => ({ block, wei: BigInt(balances[index] ?? 0) }))
}

export function BalanceHistory({ address }: { readonly address: string }): VNode {
  const points = useLoaded(() => balancesOf(address), [address, calmVersion.value])
  return (
    <Section title="Balance over time">
      <Showing of={points}>{(all) => <History points={all} />}</Showing>
    </Section>
  )
}

function History({ points }: { readonly points: readonly BalancePoint[] }): VNode {
  const changes = points.filter(({ wei }, index) => index === 0 || wei !== points[index - 1]?.wei)
  if (changes.length < 2)
    return (
      <p class="quiet">
        The balance is the same in all blocks that were looked at
        {points[0] !== undefined && (
          <>
            : <Amount wei={points[0].wei} />
          </>
        )}
        .
      </p>
    )
  return (
    <>
      <Chart points={points} />
      <details>
        <summary>Changes as a list ({changes.length})</summary>
        <LongList items={changes.toReversed()} label="Changes of the balance">
          {({ block, wei }) => (
            <>
              Block <BlockLink number={block} />: <Amount wei={wei} />
            </>
          )}
        </LongList>
      </details>
      <p class="quiet">
        {points.length} blocks were looked at: those of the newest {TRANSACTIONS} transactions, and others
        spread over the chain.
      </p>
    </>
  )
}

function Chart({ points }: { readonly points: readonly BalancePoint[] }): VNode {
  const frame = useRef<HTMLDivElement>(null)
  const [message, setMessage] = useState('')
  useEffect(() => {
    const element = frame.current
    let isWanted = true
    let remove = (): void => undefined
    if (element === null) return
    import('./balance-chart.ts').then(
      ({ drawBalances }) => {
        if (isWanted) remove = drawBalances(element, points)
      },
      () => setMessage('The chart could not be loaded; the list below has the same balances.'),
    )
    return () => {
      isWanted = false
      remove()
    }
  }, [points])
  return (
    <>
      <div
        class="chart"
        ref={frame}
        role="img"
        aria-label={`Balance in ${coinName.value} by block; the list of changes follows`}
      />
      {message !== '' && (
        <p class="error" role="alert">
          {message}
        </p>
      )}
    </>
  )
}
