/** A block: its header, transactions, uncles, receipts, and the raw form. */

import type { VNode } from 'preact'
import type { BlockObject, ReceiptObject } from '../../lib/embed/rpc-types.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion, headNumber } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { usePageTitle } from '../client/page-title.ts'
import { blockWith } from '../client/recent-blocks.ts'
import type { RecentBlock } from '../client/recent-blocks.ts'
import { timeOf } from '../format/amounts.ts'
import { Age } from '../parts/age.tsx'
import { BlockFields } from '../parts/block-fields.tsx'
import { AddressLink, Hex } from '../parts/hex.tsx'
import { GasBar, Section, Showing } from '../parts/page-parts.tsx'
import { LongTable } from '../parts/long-table.tsx'
import { TransactionTable } from '../parts/transaction-table.tsx'

/** A block with what belongs to it. */
interface WholeBlock extends RecentBlock {
  readonly uncles: readonly BlockObject[]
}

/** Shows the block with a number or a hash. */
export function BlockPage({ id }: { readonly id: string }): VNode {
  const block = useLoaded(() => blockOf(id), [id, chainVersion.value])
  return (
    <Showing of={block}>
      {(found) =>
        found === undefined ? (
          <p class="error" role="alert">
            The chain has no block {id}.
          </p>
        ) : (
          <Block {...found} />
        )
      }
    </Showing>
  )
}

async function blockOf(id: string): Promise<WholeBlock | undefined> {
  if (!/^(\d+|0x[0-9a-f]{64})$/i.test(id)) return undefined
  // A chain that changes can have another block with the number, but the same block is not loaded again.
  const hash = id.startsWith('0x') ? id : (await ask('eth_getHeaderByNumber', Number(id)))?.hash
  const found = typeof hash === 'string' ? await blockWith(hash) : undefined
  if (found === undefined) return undefined
  const uncles = found.block.uncles.map((_, index) =>
    ask('eth_getUncleByBlockHashAndIndex', found.block.hash, index),
  )
  return { ...found, uncles: (await Promise.all(uncles)).filter((one) => one !== null) }
}

function Block({ block, receipts, uncles }: WholeBlock): VNode {
  const number = Number(block.number)
  const transactions = block.transactions.filter((one) => typeof one !== 'string')
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  usePageTitle(`Block ${number}`)
  return (
    <>
      <h1>
        Block {number}
        <nav class="steps" aria-label="Neighbours of the block">
          {number > 0 && <a href={`#/block/${number - 1}`}>← {number - 1}</a>}
          {number < (headNumber.value ?? 0) && <a href={`#/block/${number + 1}`}>{number + 1} →</a>}
        </nav>
        <span class="facts">
          <Age seconds={Number(block.timestamp)} />
          <GasBar used={block.gasUsed} limit={block.gasLimit} />
          gas
        </span>
      </h1>
      <Section title={`Transactions (${transactions.length})`}>
        {transactions.length === 0 ? (
          <p class="quiet">The block has no transactions.</p>
        ) : (
          <TransactionTable transactions={transactions} receipts={receipts} as={LongTable} isOneBlock>
            {({ hash }) => <Receipt of={byHash.get(hash)} />}
          </TransactionTable>
        )}
      </Section>
      <Section title="Header">
        <BlockFields block={block} />
      </Section>
      {uncles.length > 0 && (
        <Section title={`Uncles (${uncles.length})`}>
          <Uncles uncles={uncles} />
        </Section>
      )}
      <Section title="Raw forms">
        <details>
          <summary>JSON</summary>
          <pre>{JSON.stringify(block, undefined, 2)}</pre>
        </details>
        <RawBlock number={number} hash={block.hash} />
      </Section>
    </>
  )
}

/** The receipt of a transaction, below its sentence. */
const Receipt = ({ of }: { readonly of: ReceiptObject | undefined }): VNode | null =>
  of === undefined ? null : (
    <details class="receipt">
      <summary class="quiet">
        Receipt, {of.logs.length} {of.logs.length === 1 ? 'event' : 'events'}
      </summary>
      <pre>{JSON.stringify(of, undefined, 2)}</pre>
    </details>
  )

const Uncles = ({ uncles }: { readonly uncles: readonly BlockObject[] }): VNode => (
  <table>
    <thead>
      <tr>
        <th>Hash</th>
        <th>Number</th>
        <th>Time (UTC)</th>
        <th>Miner</th>
      </tr>
    </thead>
    <tbody>
      {uncles.map(({ hash, number, timestamp, miner }) => (
        <tr key={hash}>
          <td>
            <Hex value={hash ?? ''} />
          </td>
          <td>{Number(number)}</td>
          <td>{timeOf(Number(timestamp))}</td>
          <td>
            <AddressLink value={miner} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** The encoding of the block (RLP). */
function RawBlock({ number, hash }: { readonly number: number; readonly hash: string }): VNode {
  const raw = useLoaded(() => ask('debug_getRawBlock', number), [hash])
  return (
    <details>
      <summary>RLP</summary>
      <Showing of={raw}>{(text) => <pre class="wrapped">{text}</pre>}</Showing>
    </details>
  )
}
