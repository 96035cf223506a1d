/** A transaction: its outcome, what it did, and why it failed. */

import type { VNode } from 'preact'
import type { ReceiptObject, RpcMethods, TransactionObject } from '../../lib/embed/rpc-types.ts'
import { amountsIn } from '../../lib/schema/token-amounts.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { descriptionOf, unitOf } from '../client/names.ts'
import { usePageTitle } from '../client/page-title.ts'
import { Age } from '../parts/age.tsx'
import { CallTree } from '../parts/call-tree.tsx'
import { ChainText } from '../parts/chain-text.tsx'
import { Changes, Movements, hasMovements } from '../parts/changes.tsx'
import { GasFlame } from '../parts/gas-flame.tsx'
import { CallHeadline, Headline } from '../parts/headline.tsx'
import { BlockLink, Hex } from '../parts/hex.tsx'
import { Outcome, StatusBadge, WholeExplanation, timeShown } from '../parts/outcome.tsx'
import { AmountUnits } from '../parts/named-text.tsx'
import { Section, Showing } from '../parts/page-parts.tsx'
import { Stepper } from '../parts/stepper.tsx'
import { TransactionFields } from '../parts/transaction-fields.tsx'
import '../parts/subject.css'
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
  const label = TABS.find(([name]) => name === tab && name !== '')?.[1]
  const title = descriptionOf(hash)?.call ?? `Transaction ${hash.slice(0, 10)}`
  usePageTitle(label === undefined ? title : `${label} of ${title}`)
  return (
    <>
      <p class="kind">
        Transaction <Hex value={hash} />
      </p>
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
function Gone({ hash, explanation, explanationError = '' }: Missing & { readonly hash: string }): VNode {
  if (explanation !== null)
    return (
      <AmountUnits.Provider value={new Map(amountsIn(explanation.call, unitOf))}>
        <h1>
          <CallHeadline call={explanation.call} />
        </h1>
        <WholeExplanation explanation={explanation} />
      </AmountUnits.Provider>
    )
  const removedAt = /removed by a revert at (\S+)$/.exec(explanationError)?.[1]
  if (removedAt !== undefined)
    return (
      <>
        <h1>Removed transaction</h1>
        <p>
          A revert removed the transaction at {timeShown(removedAt)}. The node keeps those that failed, and
          this one succeeded.
        </p>
      </>
    )
  return (
    <>
      <h1>Unknown transaction</h1>
      <p class="error" role="alert">
        {explanationError === '' ? (
          <>The node has no transaction {hash}, in a block or in the pool.</>
        ) : (
          <ChainText text={explanationError} />
        )}
      </p>
    </>
  )
}

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
  const { hash, blockTimestamp } = found.transaction
  const isMined = found.receipt !== null
  const units = found.explanation === null ? new Map() : new Map(amountsIn(found.explanation.call, unitOf))
  return (
    <AmountUnits.Provider value={units}>
      <h1>
        <Headline transaction={found.transaction} />
      </h1>
      <p class="facts">
        <TransactionStatus {...found} />
        {found.receipt !== null && (
          <span>
            in block <BlockLink number={Number(found.receipt.blockNumber)} />
          </span>
        )}
        {blockTimestamp !== null && <Age seconds={Number(blockTimestamp)} />}
      </p>
      {found.explanation !== null && (
        <Outcome hash={hash} explanation={found.explanation} hasStack={tab === ''} />
      )}
      {found.explanationError !== undefined && (
        <p class="error" role="alert">
          The node cannot explain the transaction: <ChainText text={found.explanationError} />
        </p>
      )}
      <nav class="tabs" aria-label="Parts of the transaction">
        {TABS.filter(([name]) => isMined || name === '' || name === 'raw').map(([name, label]) => (
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
    </AmountUnits.Provider>
  )
}

function TransactionStatus({ receipt, explanation }: Found): VNode {
  if (receipt === null) return <span class="badge warn">pending</span>
  return <StatusBadge status={explanation?.status ?? (receipt.status === '0x0' ? 'failed' : 'success')} />
}

function Tab({ tab, step, transaction, receipt, explanation, explanationError }: ShownProps): VNode {
  switch (tab) {
    case '':
      return (
        <>
          <div class={explanation !== null && hasMovements(explanation) ? 'columns' : undefined}>
            <Section title="Fields">
              <TransactionFields transaction={transaction} receipt={receipt} />
            </Section>
            {explanation !== null && (
              <div>
                <Movements explanation={explanation} />
              </div>
            )}
          </div>
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
  return tab === 'calls' ? (
    <Section title="Calls">
      <CallTree call={explanation.call} />
    </Section>
  ) : (
    <Changes explanation={explanation} />
  )
}
