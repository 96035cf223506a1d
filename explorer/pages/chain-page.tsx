/** The newest blocks and transactions, as they come. */

import type { VNode } from 'preact'
import type { BlockObject } from '../../lib/embedded/rpc-types.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { timeOf } from '../format/amounts.ts'
import { BlockLink } from '../parts/hex.tsx'
import { Count, Section, Showing } from '../parts/page-parts.tsx'
import { TransactionTable } from '../parts/transaction-table.tsx'

const BLOCKS = 20
const TRANSACTIONS = 20

export function ChainPage(): VNode {
  const blocks = useLoaded(newestBlocks, ['chain', chainVersion.value])
  return (
    <Showing of={blocks}>
      {(newest) => (
        <div class="columns">
          <Section title="Blocks">
            <Blocks blocks={newest} />
          </Section>
          <Section title="Transactions">
            <Transactions blocks={newest} />
          </Section>
        </div>
      )}
    </Showing>
  )
}

async function newestBlocks(): Promise<readonly BlockObject[]> {
  const head = Number(await ask('eth_blockNumber'))
  const numbers = Array.from({ length: Math.min(BLOCKS, head + 1) }, (_, index) => head - index)
  const blocks = await Promise.all(numbers.map((number) => ask('eth_getBlockByNumber', number, true)))
  return blocks.filter((block) => block !== null)
}

const Blocks = ({ blocks }: { readonly blocks: readonly BlockObject[] }): VNode => (
  <table>
    <thead>
      <tr>
        <th>Block</th>
        <th>Time (UTC)</th>
        <th class="number">Transactions</th>
        <th class="number">Gas used</th>
      </tr>
    </thead>
    <tbody>
      {blocks.map(({ number, timestamp, transactions, gasUsed, hash }) => (
        <tr key={hash}>
          <td>
            <BlockLink number={Number(number)} />
          </td>
          <td>{timeOf(Number(timestamp))}</td>
          <td class="number">{transactions.length}</td>
          <td class="number">
            <Count of={gasUsed} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

function Transactions({ blocks }: { readonly blocks: readonly BlockObject[] }): VNode {
  const newest = blocks
    .flatMap(({ transactions }) => transactions.filter((one) => typeof one !== 'string').toReversed())
    .slice(0, TRANSACTIONS)
  if (newest.length === 0) return <p class="quiet">No transactions in the newest blocks.</p>
  return <TransactionTable transactions={newest} />
}
