/** The tree of the calls of a transaction, with events and console output in their places. */

import type { VNode } from 'preact'
import type { Explanation } from '../pages/transaction-page.tsx'
import { amountOf } from '../format/amounts.ts'
import { ChainText } from './chain-text.tsx'
import { AddressLink, Hex } from './hex.tsx'
import { LongList } from './long-list.tsx'
import { Count } from './page-parts.tsx'

type Call = Explanation['call']
type Step = Call['steps'][number]
type NamedValue = NonNullable<Call['arguments']>[number]
type Value = NamedValue['value']

/** Calls below this depth are closed at first. */
const OPEN_DEPTH = 4

export function CallTree({ call, depth = 0 }: { readonly call: Call; readonly depth?: number }): VNode {
  if (call.steps.length === 0)
    return (
      <div class="call">
        <CallLine call={call} />
      </div>
    )
  return (
    <details class="call" open={depth < OPEN_DEPTH}>
      <summary>
        <CallLine call={call} />
      </summary>
      <LongList items={call.steps} label="Calls and events">
        {(step) => <StepView step={step} depth={depth + 1} />}
      </LongList>
    </details>
  )
}

function StepView({ step, depth }: { readonly step: Step; readonly depth: number }): VNode {
  if ('call' in step) return <CallTree call={step.call} depth={depth} />
  if ('console' in step)
    return (
      <span class="console">
        console.log <ChainText text={step.console} />
      </span>
    )
  const { event, values, address, topics, data } = step.event
  return (
    <span class="event">
      <b>{event?.replace(/\(.*$/s, '') ?? 'log'}</b>(
      {values === undefined ? <Hex value={topics[0] ?? data} /> : <Values values={values} />}){' '}
      <span class="quiet">
        of <AddressLink value={address} />
      </span>
    </span>
  )
}

function CallLine({ call }: { readonly call: Call }): VNode {
  const { kind, to, contract, value, gasUsed, status, reason, isCaught, results } = call
  const sent = BigInt(value)
  return (
    <>
      <span class="quiet">{kind}</span>{' '}
      {contract === undefined ? (
        <AddressLink value={to} />
      ) : (
        <b title={to}>
          <ChainText text={contract} />
        </b>
      )}
      <FunctionCalled call={call} />
      {sent > 0n && <span> with {amountOf(sent).short}</span>}
      {status === 'success' && results !== undefined && results.length > 0 && (
        <span>
          {' '}
          → <Values values={results} />
        </span>
      )}
      {status !== 'success' && (
        <span class="failure">
          {' '}
          <ChainText text={isReasonBelow(call) ? status : (reason?.message ?? status)} />
        </span>
      )}
      {isCaught === true && <span class="caught"> (caught)</span>}
      <span class="quiet">
        {' '}
        <Count of={gasUsed} /> gas
      </span>
    </>
  )
}

/** Whether a call inside failed for the same reason, whose line shows it. */
const isReasonBelow = ({ reason, steps }: Call): boolean =>
  steps.some((step) => 'call' in step && step.call.reason?.message === reason?.message)

function FunctionCalled({ call }: { readonly call: Call }): VNode | null {
  const { function: signature, arguments: given, input } = call
  if (signature === undefined)
    return input === '0x' ? null : (
      <span>
        {' '}
        <Hex value={input} />
      </span>
    )
  return (
    <span>
      .<b>{signature.replace(/\(.*$/s, '')}</b>(
      {given === undefined ? <Hex value={input} /> : <Values values={given} />})
    </span>
  )
}

/** Decoded values with their names. */
export const Values = ({ values }: { readonly values: readonly NamedValue[] }): VNode => (
  <>
    {values.map(({ name, type, value }, index) => (
      <span key={index} title={type}>
        {index > 0 && ', '}
        {name !== '' && (
          <span class="quiet">
            <ChainText text={name} />:{' '}
          </span>
        )}
        <ValueView value={value} />
      </span>
    ))}
  </>
)

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

function ValueView({ value }: { readonly value: Value | NamedValue }): VNode {
  if (typeof value === 'boolean') return <>{String(value)}</>
  if (typeof value === 'string') {
    if (ADDRESS.test(value)) return <AddressLink value={value} />
    return <ChainText text={value} />
  }
  if ('name' in value)
    return (
      <>
        {value.name}: <ValueView value={value.value} />
      </>
    )
  return (
    <>
      [
      {value.map((one, index) => (
        <span key={index}>
          {index > 0 && ', '}
          <ValueView value={one} />
        </span>
      ))}
      ]
    </>
  )
}
