/** The fields of a transaction and of its receipt. */

import type { ComponentChildren, VNode } from 'preact'
import type { ReceiptObject, TransactionObject } from '../../lib/embed/rpc-types.ts'
import { timeOf } from '../format/amounts.ts'
import { AddressLink, BlockLink, Hex } from './hex.tsx'
import { Amount, Count, Fields } from './page-parts.tsx'

interface FieldsProps {
  readonly transaction: TransactionObject
  readonly receipt: ReceiptObject | null
}

export const TransactionFields = (props: FieldsProps): VNode => <Fields rows={fieldsOf(props)} />

const fieldsOf = ({
  transaction,
  receipt,
}: FieldsProps): readonly (readonly [string, ComponentChildren])[] => [
  ['Hash', <Hex value={transaction.hash} isWhole />],
  ['Block', <Position {...transaction} />],
  [
    'Time',
    transaction.blockTimestamp === null ? undefined : `${timeOf(Number(transaction.blockTimestamp))} UTC`,
  ],
  ['From', <AddressLink value={transaction.from} isWhole />],
  ['To', transaction.to === null ? undefined : <AddressLink value={transaction.to} isWhole />],
  [
    'New contract',
    typeof receipt?.contractAddress === 'string' ? (
      <AddressLink value={receipt.contractAddress} isWhole />
    ) : undefined,
  ],
  ['Value', <Amount wei={transaction.value} />],
  ['Gas', <GasUse transaction={transaction} receipt={receipt} />],
  ['Fee', <Fee transaction={transaction} receipt={receipt} />],
  ['Nonce', <Count of={transaction.nonce} />],
  ['Type', TYPES[Number(transaction.type)] ?? String(Number(transaction.type))],
  ['Input', transaction.input === '0x' ? undefined : <Hex value={transaction.input} />],
]

/** Types of transactions by number (EIP-2930, 1559, 4844, 7702). */
const TYPES: readonly string[] = [
  'legacy (0)',
  'access list (1)',
  'dynamic fee (2)',
  'blob (3)',
  'set code (4)',
]

const Position = ({ blockNumber, transactionIndex }: TransactionObject): VNode =>
  blockNumber === null ? (
    <>in the pool</>
  ) : (
    <>
      <BlockLink number={Number(blockNumber)} />, position {Number(transactionIndex)}
    </>
  )

const GasUse = ({ transaction: { gas }, receipt }: FieldsProps): VNode =>
  receipt === null ? (
    <>
      limit <Count of={gas} />
    </>
  ) : (
    <>
      <Count of={receipt.gasUsed} /> used of <Count of={gas} />{' '}
      <span class="quiet">({((100 * Number(receipt.gasUsed)) / Number(gas)).toFixed(1)} %)</span>
    </>
  )

/** Gas times its price. */
const Fee = ({ transaction: { gasPrice }, receipt }: FieldsProps): VNode => {
  if (receipt === null)
    return (
      <>
        at most <Amount wei={gasPrice} /> for a unit of gas
      </>
    )
  const { gasUsed, effectiveGasPrice } = receipt
  return (
    <>
      <Amount wei={BigInt(gasUsed) * BigInt(effectiveGasPrice)} />{' '}
      <span class="quiet">
        = <Count of={gasUsed} /> gas × <Amount wei={effectiveGasPrice} />
      </span>
    </>
  )
}
