/** A transaction: its outcome, what it did, and why it failed. */

import type { ComponentChildren, VNode } from 'preact'
import { ChainText } from '../parts/chain-text.tsx'
import type { ReceiptObject, RpcMethods, TransactionObject } from '../../lib/embedded/rpc-types.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { AddressLink, BlockLink, Hex } from '../parts/hex.tsx'
import { Amount, Count, Fields, Section, Showing, Status } from '../parts/page-parts.tsx'
import { CallTree } from '../parts/call-tree.tsx'
import { Changes } from '../parts/changes.tsx'
import { SolidityStack } from '../parts/solidity-stack.tsx'

export type Explanation = NonNullable<RpcMethods['node_explainTransaction']['result']>

interface Found {
  readonly transaction: TransactionObject
  readonly receipt: ReceiptObject | null
  readonly explanation: Explanation | null
}

export function TransactionPage({ hash }: { readonly hash: string }): VNode {
  const found = useLoaded(() => transactionOf(hash), [hash, chainVersion.value])
  return (
    <>
      <h1>Transaction</h1>
      <Showing of={found}>
        {(loaded) =>
          loaded === null ? (
            <p class="error" role="alert">
              The node has no transaction {hash}, in a block or in the pool.
            </p>
          ) : (
            <Transaction {...loaded} />
          )
        }
      </Showing>
    </>
  )
}

async function transactionOf(hash: string): Promise<Found | null> {
  const [transaction, receipt, explanation] = await Promise.all([
    ask('eth_getTransactionByHash', hash),
    ask('eth_getTransactionReceipt', hash),
    // What cannot be explained is shown without the explanation.
    ask('dev_explainTransaction', hash).catch(() => null),
  ])
  return transaction === null ? null : { transaction, receipt, explanation }
}

function Transaction({ transaction, receipt, explanation }: Found): VNode {
  return (
    <>
      {explanation !== null && <Outcome explanation={explanation} />}
      <Fields rows={fieldsOf(transaction, receipt)} />
      {explanation !== null && (
        <>
          <Section title="Calls">
            <CallTree call={explanation.call} />
          </Section>
          <Changes explanation={explanation} />
        </>
      )}
      <details>
        <summary>Raw JSON</summary>
        <pre>{JSON.stringify({ transaction, receipt }, undefined, 2)}</pre>
      </details>
    </>
  )
}

const Outcome = ({
  explanation: { status, reason, stack },
}: {
  readonly explanation: Explanation
}): VNode => (
  <div class={status === 'success' ? 'outcome good' : 'outcome bad'}>
    <p>
      {reason === undefined ? (
        <Status status={status} />
      ) : (
        <b class="failure">
          <ChainText text={reason.message} />
        </b>
      )}
    </p>
    {stack !== undefined && stack.length > 0 && <SolidityStack stack={stack} />}
  </div>
)

const fieldsOf = (
  transaction: TransactionObject,
  receipt: ReceiptObject | null,
): readonly (readonly [string, ComponentChildren])[] => [
  ['Hash', <Hex value={transaction.hash} isWhole />],
  [
    'Block',
    transaction.blockNumber === null ? (
      'in the pool'
    ) : (
      <>
        <BlockLink number={Number(transaction.blockNumber)} />, position{' '}
        {Number(transaction.transactionIndex)}
      </>
    ),
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
  [
    'Gas',
    <>
      {receipt !== null && (
        <>
          <Count of={receipt.gasUsed} /> used of{' '}
        </>
      )}
      <Count of={transaction.gas} />
    </>,
  ],
  ['Gas price', <Amount wei={receipt?.effectiveGasPrice ?? transaction.gasPrice} />],
  [
    'Fee',
    receipt === null ? undefined : (
      <Amount wei={BigInt(receipt.effectiveGasPrice) * BigInt(receipt.gasUsed)} />
    ),
  ],
  ['Nonce', <Count of={transaction.nonce} />],
  ['Type', String(Number(transaction.type))],
  ['Input', transaction.input === '0x' ? undefined : <Hex value={transaction.input} />],
]
