/** A transaction: its outcome, what it did, and why it failed. */

import type { ComponentChildren, VNode } from 'preact'
import { ChainText } from '../parts/chain-text.tsx'
import type { ReceiptObject, RpcMethods, TransactionObject } from '../../lib/embed/rpc-types.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { AddressLink, BlockLink, Hex } from '../parts/hex.tsx'
import { Outcome, WholeExplanation } from '../parts/outcome.tsx'
import { Amount, Count, Fields, Section, Showing } from '../parts/page-parts.tsx'
import { CallTree } from '../parts/call-tree.tsx'
import { Changes } from '../parts/changes.tsx'
import { GasFlame } from '../parts/gas-flame.tsx'
import { Stepper } from '../parts/stepper.tsx'
import '../parts/tabs.css'

export type Explanation = NonNullable<RpcMethods['dev_explainTransaction']['result']>

interface Missing {
  /** Null before the transaction is in a block, and when the node cannot explain it. */
  readonly explanation: Explanation | null
  /** Why the node cannot explain the transaction. */
  readonly explanationError: string | undefined
}

interface Found extends Missing {
  readonly transaction: TransactionObject
  readonly receipt: ReceiptObject | null
}

/** Parts of the page, each with its own URL. */
const TABS = [
  ['', 'Overview'],
  ['calls', 'Calls'],
  ['changes', 'Changes'],
  ['gas', 'Gas'],
  ['step', 'Steps'],
  ['raw', 'Raw'],
] as const

interface PageProps {
  readonly hash: string
  /** The shown part, such as `gas` or `step/12`; the overview if left out. */
  readonly part?: string | undefined
}

export function TransactionPage({ hash, part = '' }: PageProps): VNode {
  const [tab = '', step = '0'] = part.split('/')
  const found = useLoaded(() => transactionOf(hash), [hash, chainVersion.value])
  return (
    <>
      <h1>Transaction</h1>
      <Showing of={found}>
        {(loaded) =>
          'transaction' in loaded ? (
            <Transaction {...loaded} tab={tab} step={step} />
          ) : (
            <Gone hash={hash} {...loaded} />
          )
        }
      </Showing>
    </>
  )
}

/** A transaction that is neither in a block nor in the pool. A failed one that a revert removed is explained. */
const Gone = ({ hash, explanation, explanationError }: Missing & { readonly hash: string }): VNode =>
  explanation === null ? (
    <p class="error" role="alert">
      {explanationError === undefined ? (
        <>The node has no transaction {hash}, in a block or in the pool.</>
      ) : (
        <ChainText text={explanationError} />
      )}
    </p>
  ) : (
    <WholeExplanation explanation={explanation} />
  )

const explanationOf = (explanation: Explanation | null): Missing => ({
  explanation,
  explanationError: undefined,
})

const failedExplanation = (error: unknown): Missing => ({
  explanation: null,
  explanationError: error instanceof Error ? error.message : String(error),
})

async function transactionOf(hash: string): Promise<Found | Missing> {
  const [transaction, receipt, explained] = await Promise.all([
    ask('eth_getTransactionByHash', hash),
    ask('eth_getTransactionReceipt', hash),
    // A transaction that cannot be explained is shown without the explanation.
    ask('dev_explainTransaction', hash).then(explanationOf, failedExplanation),
  ])
  if (transaction !== null) return { transaction, receipt, ...explained }
  return ask('dev_explainFailure', hash).then(explanationOf, failedExplanation)
}

type ShownProps = Found & { readonly tab: string; readonly step: string }

function Transaction({ tab, step, ...found }: ShownProps): VNode {
  const { hash } = found.transaction
  return (
    <>
      {found.explanation !== null && <Outcome hash={hash} explanation={found.explanation} />}
      {found.explanationError !== undefined && (
        <p class="error" role="alert">
          The node cannot explain the transaction: <ChainText text={found.explanationError} />
        </p>
      )}
      <nav class="tabs" aria-label="Parts of the transaction">
        {TABS.map(([name, label]) => (
          <a
            key={name}
            href={`#/tx/${hash}${name === '' ? '' : `/${name}`}${name === 'step' ? `/${step}` : ''}`}
            aria-current={name === tab ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <Tab tab={tab} step={step} {...found} />
    </>
  )
}

function Tab({ tab, step, transaction, receipt, explanation, explanationError }: ShownProps): VNode {
  switch (tab) {
    case '':
      return (
        <>
          <Fields rows={fieldsOf(transaction, receipt)} />
          {explanation !== null && (
            <Section title="Calls">
              <CallTree call={explanation.call} />
            </Section>
          )}
        </>
      )
    case 'raw':
      return <pre>{JSON.stringify({ transaction, receipt }, undefined, 2)}</pre>
    case 'gas':
      return <GasFlame hash={transaction.hash} />
    case 'step':
      return <Stepper hash={transaction.hash} at={Number(step)} />
  }
  // The error is shown above the parts.
  if (explanationError !== undefined) return <></>
  if (explanation === null)
    return <p class="quiet">The node cannot explain the transaction before it is in a block.</p>
  return tab === 'calls' ? <CallTree call={explanation.call} /> : <Changes explanation={explanation} />
}

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
