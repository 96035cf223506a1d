/** The fields of a block's header, on both kinds of network. */

import type { ComponentChildren, VNode } from 'preact'
import type { BlockObject } from '../../lib/embed/rpc-types.ts'
import { timeOf } from '../format/amounts.ts'
import { AddressLink, BlockLink, Hex } from './hex.tsx'
import { Amount, Count, Fields } from './page-parts.tsx'

/** Longest value, in characters, that is shown whole: a hash. */
const WHOLE = 66

export const BlockFields = ({ block }: { readonly block: BlockObject }): VNode => (
  <>
    <Fields rows={[...mainFields(block), ...feeFields(block)]} />
    <details>
      <summary>Roots and proofs</summary>
      <Fields rows={rootFields(block)} />
    </details>
    {block.hashForMergedMining !== undefined && (
      <section>
        <h2>Merged mining</h2>
        <p class="quiet">
          The miners of another chain secure this one: the header of a block of theirs contains the hash
          below, and its proof of work counts for both.
        </p>
        <Fields rows={mergedMiningFields(block)} />
      </section>
    )}
  </>
)

type Row = readonly [string, ComponentChildren]

const hex = (value: string | null | undefined): VNode | undefined =>
  value === undefined || value === null ? undefined : <Hex value={value} isWhole={value.length <= WHOLE} />

const amount = (wei: string | undefined): VNode | undefined =>
  wei === undefined ? undefined : <Amount wei={wei} />

const count = (value: string | undefined): VNode | undefined =>
  value === undefined ? undefined : <Count of={value} />

const mainFields = (block: BlockObject): readonly Row[] => [
  ['Hash', hex(block.hash)],
  ['Parent', <Parent block={block} />],
  ['Time (UTC)', timeOf(Number(block.timestamp))],
  ['Miner', <AddressLink value={block.miner} isWhole />],
  [
    'Gas used',
    <>
      <Count of={block.gasUsed} /> of <Count of={block.gasLimit} />
    </>,
  ],
  ['Size', `${Number(block.size)} bytes`],
  ['Difficulty', count(block.difficulty)],
  ['Cumulative difficulty', count(block.cumulativeDifficulty)],
  ['Extra data', hex(block.extraData)],
]

const feeFields = (block: BlockObject): readonly Row[] => [
  ['Base fee', amount(block.baseFeePerGas)],
  ['Minimum gas price', amount(block.minimumGasPrice)],
  ['Paid fees', amount(block.paidFees)],
  ['Blob gas used', count(block.blobGasUsed)],
  ['Excess blob gas', count(block.excessBlobGas)],
]

const rootFields = (block: BlockObject): readonly Row[] => [
  ['State root', hex(block.stateRoot)],
  ['Transactions root', hex(block.transactionsRoot)],
  ['Receipts root', hex(block.receiptsRoot)],
  ['Withdrawals root', hex(block.withdrawalsRoot)],
  ['Hash of the uncles', hex(block.sha3Uncles)],
  // Since the merge the field holds the random value of the beacon chain (EIP-4399).
  [block.baseFeePerGas === undefined ? 'Mix hash' : 'Random value', hex(block.mixHash)],
  ['Nonce', hex(block.nonce)],
  ['Parent in the beacon chain', hex(block.parentBeaconBlockRoot)],
  ['Hash of the requests', hex(block.requestsHash)],
  ['Logs bloom', hex(block.logsBloom)],
]

const mergedMiningFields = (block: BlockObject): readonly Row[] => [
  ['Hash for merged mining', hex(block.hashForMergedMining)],
  ["Header of the other chain's block", hex(block.auxMergedMiningHeader)],
  ['Its coinbase transaction, with the hash', hex(block.auxMergedMiningCoinbaseTransaction)],
  ['Merkle proof that the block contains it', hex(block.auxMergedMiningMerkleProof)],
]

function Parent({ block: { number, parentHash } }: { readonly block: BlockObject }): VNode {
  if (Number(number) === 0) return <Hex value={parentHash} isWhole />
  return (
    <>
      <BlockLink number={Number(number) - 1} /> <Hex value={parentHash} />
    </>
  )
}
