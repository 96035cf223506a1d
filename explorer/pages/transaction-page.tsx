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
import { DebuggedFailure } from '../parts/debugged-failure.tsx'
import { Debugger } from '../parts/debugger.tsx'
import { GasFlame } from '../parts/gas-flame.tsx'
import { CallHeadline, Headline } from '../parts/headline.tsx'
import { BlockLink, Hex } from '../parts/hex.tsx'
import { Outcome, StatusBadge, timeShown } from '../parts/outcome.tsx'
import { AmountUnits } from '../parts/named-text.tsx'
import { Section, Showing } from '../parts/page-parts.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { TransactionFields } from '../parts/transaction-fields.tsx'
import '../parts/subject.css'

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

/** Parts of the page. */
const TABS = [
  ['', 'Overview'],
  ['calls', 'Calls'],
  ['changes', 'Changes'],
  ['gas', 'Gas'],
  ['debug', 'Debug'],
  ['raw', 'Raw'],
] as const

interface PageProps {
  readonly hash: string
  /** The shown part, such as `gas` or `debug/12`; the overview if left out. */
  readonly part?: string | undefined
}

export function TransactionPage({ hash, part = '' }: PageProps): VNode {
  const [tab = '', ...rest] = part.split('/')
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
            <Transaction {...loaded} tab={tab} rest={rest} />
          ) : (
            <Gone hash={hash} tab={tab} rest={rest} {...loaded} />
          )
        }
      </Showing>
    </>
  )
}

/** The shown part, and what follows it in the URL. */
interface Part {
  readonly tab: string
  readonly rest: readonly string[]
}

type GoneProps = Missing & Part & { readonly hash: string }

/** A transaction that is neither in a block nor in the pool. A failed one that a revert removed is explained. */
function Gone({ hash, explanation, explanationError = '', ...part }: GoneProps): VNode {
  if (explanation !== null)
    return (
      <AmountUnits.Provider value={new Map(amountsIn(explanation.call, unitOf))}>
        <h1>
          <CallHeadline call={explanation.call} />
        </h1>
        <DebuggedFailure
          target={{ transaction: hash }}
          path={`/tx/${hash}`}
          explanation={explanation}
          {...part}
        />
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

type ShownProps = Found & Part

function Transaction({ tab, rest, ...found }: ShownProps): VNode {
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
      {found.explanation !== null && tab !== 'debug' && (
        <Outcome
          hash={hash}
          explanation={found.explanation}
          hasStack={tab === ''}
          debug={`/tx/${hash}/debug`}
        />
      )}
      {found.explanationError !== undefined && (
        <p class="error" role="alert">
          The node cannot explain the transaction: <ChainText text={found.explanationError} />
        </p>
      )}
      <Tabs
        label="Parts of the transaction"
        path={`/tx/${hash}`}
        tabs={TABS.filter(([name]) => isMined || name === '' || name === 'raw')}
        shown={tab}
      />
      <Tab tab={tab} rest={rest} {...found} />
    </AmountUnits.Provider>
  )
}

function TransactionStatus({ receipt, explanation }: Found): VNode {
  if (receipt === null) return <span class="badge warn">pending</span>
  return <StatusBadge status={explanation?.status ?? (receipt.status === '0x0' ? 'failed' : 'success')} />
}

function Tab({ tab, rest, transaction, receipt, explanation, explanationError }: ShownProps): VNode {
  switch (tab) {
    case '':
      return (
        <>
          <div class={explanation !== null && hasMovements(explanation) ? 'columns' : undefined}>
            <Section title="Transaction">
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
    case 'debug':
      return (
        <Debugger target={{ transaction: transaction.hash }} path={`/tx/${transaction.hash}`} part={rest} />
      )
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
