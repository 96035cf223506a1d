/** The tree of the calls of a transaction, with events and console output in their places. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { WITH_AMOUNT } from '../../lib/schema/token-amounts.ts'
import type { Explanation } from '../pages/transaction-page.tsx'
import { namedEvent } from '../client/events.ts'
import { nameOf, unitOf } from '../client/names.ts'
import type { Unit } from '../client/names.ts'
import { amountOf } from '../format/amounts.ts'
import { ChainText } from './chain-text.tsx'
import { AddressName, Hex } from './hex.tsx'
import { LongList } from './long-list.tsx'
import { AmountIn, NamedText } from './named-text.tsx'
import { Count } from './page-parts.tsx'
import './call-tree.css'

type Call = Explanation['call']
type Step = Call['steps'][number]
type NamedValue = NonNullable<Call['arguments']>[number]
type Value = NamedValue['value']

/** Calls below this depth are closed at first. */
const OPEN_DEPTH = 4

interface TreeProps {
  readonly call: Call
  readonly depth?: number
  /** Gas of the outermost call, of which the calls have a share. */
  readonly total?: number
}

export function CallTree({ call, depth = 0, total = Number(call.gasUsed) }: TreeProps): VNode {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH)
  const hasSteps = call.steps.length > 0
  return (
    <div class="call">
      <div class="call-head">
        {hasSteps && (
          <button
            type="button"
            class="fold"
            aria-expanded={isOpen}
            aria-label="Calls and events inside"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        )}
        <CallLine call={call} total={total} />
      </div>
      {hasSteps && isOpen && (
        <LongList items={call.steps} label="Calls and events">
          {(step) => <StepView step={step} depth={depth + 1} total={total} />}
        </LongList>
      )}
    </div>
  )
}

interface StepProps {
  readonly step: Step
  readonly depth: number
  readonly total: number
}

function StepView({ step, depth, total }: StepProps): VNode {
  if ('call' in step) return <CallTree call={step.call} depth={depth} total={total} />
  if ('console' in step)
    return (
      <div class="call console">
        console.log <ChainText text={step.console} />
      </div>
    )
  return <EventView event={step.event} />
}

type Emitted = Extract<Step, { readonly event: unknown }>['event']

function EventView({ event }: { readonly event: Emitted }): VNode {
  const { address, topics, data } = event
  const { name, values } = event.event === undefined ? eventByContract(event) : eventByNode(event)
  return (
    <div class="call event">
      <span class="quiet">emit</span> <AddressName value={address} />.<b>{name ?? 'log'}</b>(
      {values === undefined ? (
        <Hex value={topics[0] ?? data} />
      ) : (
        <Values values={values} unit={amountUnit(name, address)} />
      )}
      )
    </div>
  )
}

const eventByNode = ({ event, values }: Emitted) => ({ name: event?.replace(/\(.*$/s, ''), values })

function eventByContract(event: Emitted) {
  const { name, values } = namedEvent(event)
  if (name === undefined) return { name, values: undefined }
  return { name, values: values.map(([argument, value]) => ({ name: argument, type: '', value })) }
}

/** The unit of the amounts of a function or event; undefined if it has none. */
const amountUnit = (name: string | undefined, token: string): Unit | undefined =>
  name !== undefined && WITH_AMOUNT.test(name) ? unitOf(token) : undefined

function CallLine({ call, total }: { readonly call: Call; readonly total: number }): VNode {
  const { kind, to, value, gasUsed, status, reason, isCaught, results } = call
  const sent = BigInt(value)
  return (
    <span class="call-line">
      <span>
        {kind !== 'call' && <span class="quiet">{kind} </span>}
        <ContractLink call={call} />
        <CalledFunction call={call} />
        {sent > 0n && <span> with {amountOf(sent).short}</span>}
        {status === 'success' && results !== undefined && results.length > 0 && (
          <span>
            {' '}
            → <Values values={results} unit={amountUnit(call.function, to)} />
          </span>
        )}
        {status !== 'success' && (
          <span class="failure">
            {' '}
            <NamedText text={isReasonBelow(call) ? status : (reason?.message ?? status)} />
          </span>
        )}
        {isCaught === true && <span class="caught"> (caught)</span>}
      </span>
      <Gas used={Number(gasUsed)} total={total} />
    </span>
  )
}

/** Gas of a call, with its share of the outermost one as a bar. */
const Gas = ({ used, total }: { readonly used: number; readonly total: number }): VNode => (
  <span class="call-gas" title={`${((100 * used) / Math.max(total, 1)).toFixed(1)} % of the outermost call`}>
    <span class="bar" style={{ width: `${(100 * used) / Math.max(total, 1)}%` }} />
    <span>
      <Count of={used} /> gas
    </span>
  </span>
)

/** The called contract by its name; by that of its artifact where another contract has the address by now. */
export const ContractLink = ({ call: { to, contract } }: { readonly call: Call }): VNode =>
  contract === undefined ? (
    <AddressName value={to} />
  ) : (
    <a class="name" href={`#/address/${to}`} title={to}>
      <ChainText text={nameOf(to) ?? contract} />
    </a>
  )

/** Whether a call inside failed for the same reason, whose line shows it. */
const isReasonBelow = ({ reason, steps }: Call): boolean =>
  steps.some((step) => 'call' in step && step.call.reason?.message === reason?.message)

/** The called function with its arguments. */
export function CalledFunction({ call }: { readonly call: Call }): VNode | null {
  const { arguments: given, input, to } = call
  const name = call.function?.replace(/\(.*$/s, '')
  if (name === undefined)
    return input === '0x' ? null : (
      <span>
        {' '}
        <Hex value={input} />
      </span>
    )
  return (
    <span>
      .<b>{name}</b>(
      {given === undefined ? <Hex value={input} /> : <Values values={given} unit={amountUnit(name, to)} />})
    </span>
  )
}

interface ValuesProps {
  readonly values: readonly NamedValue[]
  /** Unit of the amounts among them. */
  readonly unit?: Unit | undefined
}

/** Decoded values with their names. */
export const Values = ({ values, unit }: ValuesProps): VNode => (
  <>
    {values.map(({ name, type, value }, index) => (
      <span key={index} title={type}>
        {index > 0 && ', '}
        {name !== '' && (
          <span class="quiet">
            <ChainText text={name} />:{' '}
          </span>
        )}
        {unit !== undefined && type === 'uint256' && typeof value === 'string' ? (
          <AmountIn amount={value} unit={unit} />
        ) : (
          <ValueView value={value} />
        )}
      </span>
    ))}
  </>
)

function ValueView({ value }: { readonly value: Value | NamedValue }): VNode {
  if (typeof value === 'boolean') return <>{String(value)}</>
  if (typeof value === 'string') return <NamedText text={value} />
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
