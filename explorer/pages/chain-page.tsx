/** The newest blocks and transactions, as they come. */

import type { VNode } from 'preact'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { recentBlocks, revertedIn } from '../client/recent-blocks.ts'
import type { RecentBlock } from '../client/recent-blocks.ts'
import { timeOf } from '../format/amounts.ts'
import { BlockStrip } from '../parts/block-strip.tsx'
import { BlockLink } from '../parts/hex.tsx'
import { Count, Section, Showing } from '../parts/page-parts.tsx'
import { TransactionTable } from '../parts/transaction-table.tsx'

/** Blocks of the strip, and those of them in the table. */
const BARS = 60
const BLOCKS = 20
const TRANSACTIONS = 20

export function ChainPage(): VNode {
  const blocks = useLoaded(() => recentBlocks(BARS), ['chain', chainVersion.value])
  return (
    <Showing of={blocks}>
      {(newest) => (
        <>
          <h1>Chain</h1>
          <BlockStrip blocks={newest} />
          <div class="columns uneven">
            <Section title="Blocks">
              <Blocks blocks={newest.slice(0, BLOCKS)} />
            </Section>
            <Section title="Transactions">
              <Transactions blocks={newest} />
            </Section>
          </div>
        </>
      )}
    </Showing>
  )
}

const Blocks = ({ blocks }: { readonly blocks: readonly RecentBlock[] }): VNode => (
  <table>
    <thead>
      <tr>
        <th>Block</th>
        <th>Time (UTC)</th>
        <th class="number">Transactions</th>
        <th class="number">Reverted</th>
        <th class="number">Gas used</th>
      </tr>
    </thead>
    <tbody>
      {blocks.map((recent) => (
        <BlockRow key={recent.block.hash} recent={recent} />
      ))}
    </tbody>
  </table>
)

function BlockRow({ recent }: { readonly recent: RecentBlock }): VNode {
  const { number, timestamp, gasUsed } = recent.block
  const reverted = revertedIn(recent)
  return (
    <tr>
      <td>
        <BlockLink number={Number(number)} />
      </td>
      <td class="time">{timeOf(Number(timestamp))}</td>
      <td class="number">{recent.receipts.length}</td>
      <td class={reverted === 0 ? 'number quiet' : 'number bad'}>{reverted}</td>
      <td class="number">
        <Count of={gasUsed} />
      </td>
    </tr>
  )
}

function Transactions({ blocks }: { readonly blocks: readonly RecentBlock[] }): VNode {
  const newest = blocks
    .flatMap(({ block }) => block.transactions.filter((one) => typeof one !== 'string').toReversed())
    .slice(0, TRANSACTIONS)
  if (newest.length === 0) return <p class="quiet">No transactions in the newest blocks.</p>
  return <TransactionTable transactions={newest} receipts={blocks.flatMap(({ receipts }) => receipts)} />
}
