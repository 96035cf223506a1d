/** A block: its header, transactions, uncles, receipts, and the raw form. */

import type { VNode } from 'preact'
import type { BlockObject, ReceiptObject } from '../../lib/embed/rpc-types.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion, headNumber } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { timeOf } from '../format/amounts.ts'
import { BlockFields } from '../parts/block-fields.tsx'
import { AddressLink, Hex } from '../parts/hex.tsx'
import { LongList } from '../parts/long-list.tsx'
import { Section, Showing } from '../parts/page-parts.tsx'
import { TransactionTable } from '../parts/transaction-table.tsx'

/** A block with what belongs to it. */
interface WholeBlock {
  readonly block: BlockObject
  readonly receipts: readonly ReceiptObject[]
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
  const block = id.startsWith('0x')
    ? await ask('eth_getBlockByHash', id, true)
    : await ask('eth_getBlockByNumber', Number(id), true)
  if (block === null || block.hash === null) return undefined
  const { hash, uncles } = block
  const [receipts, found] = await Promise.all([
    ask('eth_getBlockReceipts', hash),
    Promise.all(uncles.map((_, index) => ask('eth_getUncleByBlockHashAndIndex', hash, index))),
  ])
  return { block, receipts: receipts ?? [], uncles: found.filter((one) => one !== null) }
}

function Block({ block, receipts, uncles }: WholeBlock): VNode {
  const number = Number(block.number)
  const transactions = block.transactions.filter((one) => typeof one !== 'string')
  return (
    <>
      <h1>
        Block {number}
        <nav class="steps" aria-label="Neighbours of the block">
          {number > 0 && <a href={`#/block/${number - 1}`}>← {number - 1}</a>}
          {number < (headNumber.value ?? 0) && <a href={`#/block/${number + 1}`}>{number + 1} →</a>}
        </nav>
      </h1>
      <BlockFields block={block} />
      <Section title={`Transactions (${transactions.length})`}>
        {transactions.length === 0 ? (
          <p class="quiet">The block has no transactions.</p>
        ) : (
          <TransactionTable transactions={transactions} receipts={receipts} />
        )}
      </Section>
      {uncles.length > 0 && (
        <Section title={`Uncles (${uncles.length})`}>
          <Uncles uncles={uncles} />
        </Section>
      )}
      {receipts.length > 0 && (
        <Section title="Receipts">
          <LongList items={receipts} label="Receipts">
            {(receipt, index) => (
              <details>
                <summary>
                  Transaction {index}: {receipt.logs.length} events
                </summary>
                <pre>{JSON.stringify(receipt, undefined, 2)}</pre>
              </details>
            )}
          </LongList>
        </Section>
      )}
      <Section title="Raw forms">
        <details>
          <summary>JSON</summary>
          <pre>{JSON.stringify(block, undefined, 2)}</pre>
        </details>
        <RawBlock number={number} hash={block.hash ?? ''} />
      </Section>
    </>
  )
}

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
