/** A block: its header fields and its transactions. */

import type { VNode } from 'preact'
import type { BlockObject } from '../../lib/embedded/rpc-types.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { timeOf } from '../format/amounts.ts'
import { AddressLink, BlockLink, Hex } from '../parts/hex.tsx'
import { Amount, Count, Fields, Section, Showing } from '../parts/page-parts.tsx'
import { TransactionTable } from '../parts/transaction-table.tsx'

/** Shows the block with a number or a hash. */
export function BlockPage({ id }: { readonly id: string }): VNode {
  const block = useLoaded(() => blockOf(id), [id, chainVersion.value])
  return (
    <Showing of={block}>
      {(found) =>
        found === null ? (
          <p class="error" role="alert">
            The chain has no block {id}.
          </p>
        ) : (
          <Block block={found} />
        )
      }
    </Showing>
  )
}

const blockOf = async (id: string): Promise<BlockObject | null> =>
  id.startsWith('0x') && id.length === 66
    ? ask('eth_getBlockByHash', id, true)
    : ask('eth_getBlockByNumber', Number(id), true)

function Block({ block }: { readonly block: BlockObject }): VNode {
  const number = Number(block.number)
  const transactions = block.transactions.filter((one) => typeof one !== 'string')
  return (
    <>
      <h1>
        Block {number}
        <nav class="steps" aria-label="Neighbours of the block">
          {number > 0 && <a href={`#/block/${number - 1}`}>← {number - 1}</a>}
          <a href={`#/block/${number + 1}`}>{number + 1} →</a>
        </nav>
      </h1>
      <Fields rows={fieldsOf(block)} />
      <Section title={`Transactions (${transactions.length})`}>
        {transactions.length === 0 ? (
          <p class="quiet">The block has no transactions.</p>
        ) : (
          <TransactionTable transactions={transactions} />
        )}
      </Section>
      <details>
        <summary>Raw JSON</summary>
        <pre>{JSON.stringify(block, undefined, 2)}</pre>
      </details>
    </>
  )
}

/** Each field of the header, those of network 33 among them. */
function fieldsOf(block: BlockObject): readonly (readonly [string, VNode | string | undefined])[] {
  const hex = (value: string | null | undefined): VNode | undefined =>
    value === undefined || value === null ? undefined : <Hex value={value} isWhole={value.length <= 66} />
  return [
    ['Hash', hex(block.hash)],
    ['Parent', number(block) === 0 ? hex(block.parentHash) : <ParentLink block={block} />],
    ['Time (UTC)', timeOf(Number(block.timestamp))],
    ['Miner', <AddressLink value={block.miner} isWhole />],
    ['Gas used', <GasUsed block={block} />],
    ['Base fee', block.baseFeePerGas && <Amount wei={block.baseFeePerGas} />],
    ['Minimum gas price', block.minimumGasPrice && <Amount wei={block.minimumGasPrice} />],
    ['Paid fees', block.paidFees && <Amount wei={block.paidFees} />],
    ['Size', `${Number(block.size)} bytes`],
    ['Difficulty', <Count of={block.difficulty} />],
    ['Cumulative difficulty', block.cumulativeDifficulty && <Count of={block.cumulativeDifficulty} />],
    ['State root', hex(block.stateRoot)],
    ['Transactions root', hex(block.transactionsRoot)],
    ['Receipts root', hex(block.receiptsRoot)],
    ['Extra data', hex(block.extraData)],
    ['Hash for merged mining', hex(block.hashForMergedMining)],
    ['Header of the merged-mining block', hex(block.auxMergedMiningHeader)],
    ['Uncles', block.uncles.length === 0 ? undefined : block.uncles.join(', ')],
  ].map(([name, value]) => [name as string, value as VNode | string | undefined])
}

const number = (block: BlockObject): number => Number(block.number)

const ParentLink = ({ block }: { readonly block: BlockObject }): VNode => (
  <>
    <BlockLink number={number(block) - 1} /> <Hex value={block.parentHash} />
  </>
)

const GasUsed = ({ block }: { readonly block: BlockObject }): VNode => (
  <>
    <Count of={block.gasUsed} /> of <Count of={block.gasLimit} />
  </>
)
