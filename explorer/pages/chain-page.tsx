/** The newest blocks and transactions, as they come. */

import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { calmVersion } from '../client/calm-version.ts'
import { chainVersion, pooledCount } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { usePageTitle } from '../client/page-title.ts'
import { pooled } from '../client/pool.ts'
import { recentBlocks, revertedIn } from '../client/recent-blocks.ts'
import type { RecentBlock } from '../client/recent-blocks.ts'
import { Age } from '../parts/age.tsx'
import { BlockStrip } from '../parts/block-strip.tsx'
import { ChainFacts } from '../parts/chain-facts.tsx'
import { FirstSteps } from '../parts/first-steps.tsx'
import { BlockLink } from '../parts/hex.tsx'
import { loadPages } from '../parts/later-pages.tsx'
import { GasBar, Section, Showing } from '../parts/page-parts.tsx'
import { ShortChain } from '../parts/short-chain.tsx'
import { TransactionTable } from '../parts/transaction-table.tsx'

/** Blocks of the strip, and those of them in the table. */
const BARS = 60
const BLOCKS = 20
const TRANSACTIONS = 20

/** A chain with fewer blocks leaves room for what helps to begin. */
const SHORT = 8

/** Pooled transactions that are shown; the page of controls has all. */
const POOLED = 10

export function ChainPage(): VNode {
  usePageTitle('Chain')
  const blocks = useLoaded(() => recentBlocks(BARS), ['chain', chainVersion.value])
  const isLoaded = blocks.state === 'loaded'
  // The script of the other pages comes after the rows.
  useEffect(() => {
    if (isLoaded) loadPages()
  }, [isLoaded])
  return (
    <>
      <h1>
        Chain <ChainFacts />
      </h1>
      <Showing of={blocks}>
        {(newest) => (
          <>
            <BlockStrip blocks={newest} />
            {newest.length === 1 && <FirstSteps />}
            <div class="columns uneven">
              <Section title="Transactions">
                <Transactions blocks={newest} />
              </Section>
              <Section title="Blocks">
                <Blocks blocks={newest.slice(0, BLOCKS)} />
              </Section>
            </div>
            {newest.length < SHORT && <ShortChain />}
          </>
        )}
      </Showing>
    </>
  )
}

const Blocks = ({ blocks }: { readonly blocks: readonly RecentBlock[] }): VNode => (
  <table>
    <thead>
      <tr>
        <th>Block</th>
        <th>Transactions</th>
        <th class="number">Gas</th>
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
  const { number, timestamp, gasUsed, gasLimit } = recent.block
  const reverted = revertedIn(recent)
  return (
    <tr>
      <td>
        <BlockLink number={Number(number)} /> <Age seconds={Number(timestamp)} />
      </td>
      <td>
        {recent.receipts.length} {reverted > 0 && <span class="badge bad">{reverted} reverted</span>}
      </td>
      <td class="number">
        <GasBar used={gasUsed} limit={gasLimit} />
      </td>
    </tr>
  )
}

/** The newest transactions: those of the pool, then those of blocks. */
function Transactions({ blocks }: { readonly blocks: readonly RecentBlock[] }): VNode {
  const pool = useLoaded(
    async () => (pooledCount.value === 0 ? [] : pooled()),
    ['pool', pooledCount.value, calmVersion.value],
  )
  const waiting = pool.state === 'loaded' ? pool.value.toReversed() : []
  const mined = blocks.flatMap(({ block }) =>
    block.transactions.filter((one) => typeof one !== 'string').toReversed(),
  )
  if (waiting.length + mined.length === 0) return <p class="quiet">No transactions in the newest blocks.</p>
  const left = waiting.length - POOLED
  return (
    <>
      {left > 0 && (
        <p>
          <a href="#/controls">{left} more in the pool</a>
        </p>
      )}
      <TransactionTable
        transactions={[
          ...waiting
            .slice(0, POOLED)
            .map(({ transaction, reason }) => ({ ...transaction, waitsFor: reason })),
          ...mined.slice(0, TRANSACTIONS),
        ]}
        receipts={blocks.flatMap(({ receipts }) => receipts)}
      />
    </>
  )
}
