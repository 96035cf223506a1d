/** The events of a contract, newest first, with a filter that is part of the URL. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { printable } from '../../lib/config/request-log.ts'
import { calmVersion } from '../client/calm-version.ts'
import { eventsOf, topicOf } from '../client/contracts.ts'
import type { Contract, ContractEvent } from '../client/contracts.ts'
import { DEFAULT_BLOCKS, eventsIn } from '../client/events.ts'
import type { EventFilter, ShownEvent } from '../client/events.ts'
import { useLoaded } from '../client/loaded.ts'
import { follow, linkTo, numberIn } from '../client/query.ts'
import { grouped } from '../format/amounts.ts'
import type { PartProps } from './account-transactions.tsx'
import { ChainText } from './chain-text.tsx'
import { BlockLink, Hex, TransactionLink } from './hex.tsx'
import { LongList } from './long-list.tsx'
import { Showing } from './page-parts.tsx'
import { ResultText } from './result-text.tsx'
import './address.css'

interface EventsProps extends PartProps {
  readonly contract: Contract | null
}

/** Indexed arguments of an event at most. */
const INDEXED = [0, 1, 2]

function filterIn(query: URLSearchParams): EventFilter {
  return {
    topic: query.get('event') ?? undefined,
    indexed: INDEXED.map((index) => query.get(`value${index}`) ?? ''),
    from: numberIn(query.get('from')),
    to: numberIn(query.get('to')),
  }
}

export function ContractEvents({ address, contract, query }: EventsProps): VNode {
  const known = contract === null ? [] : eventsOf(contract)
  const path = `/address/${address}/events`
  const filter = filterIn(new URLSearchParams(query))
  const events = useLoaded(
    () => eventsIn(address, known, filter),
    [`${address} ${query} ${known.length}`, calmVersion.value],
  )
  return (
    <>
      <FilterForm key={query} known={known} filter={filter} path={path} />
      <Showing of={events}>
        {({ found, from, to }) => (
          <>
            <p class="quiet">
              {countText(found.length)} in blocks {from} to {to}.{' '}
              {from > 0 && (
                <a
                  href={linkTo(path, {
                    ...valuesOf(query),
                    from: Math.max(0, from - DEFAULT_BLOCKS),
                    to: from - 1,
                  })}
                >
                  Earlier blocks
                </a>
              )}
            </p>
            <div class="events">
              <LongList key={query} items={found} label="Events">
                {(event) => <EventLine {...event} />}
              </LongList>
            </div>
          </>
        )}
      </Showing>
    </>
  )
}

const countText = (count: number): string => {
  if (count === 0) return 'No events'
  return count === 1 ? 'One event' : `${grouped(count)} events, newest first,`
}

const valuesOf = (query: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(query))

const EventLine = ({ log, name, values }: ShownEvent): VNode => (
  <>
    <BlockLink number={Number(log.blockNumber)} /> <TransactionLink value={log.transactionHash ?? ''} />{' '}
    <b>
      <ChainText text={name ?? 'log'} />
    </b>
    {name === undefined ? (
      <>
        {log.topics.map((topic, index) => (
          <span key={index}>
            {' '}
            <Hex value={topic} />
          </span>
        ))}
        {log.data !== '0x' && (
          <>
            {' '}
            <span class="quiet">data</span> <Hex value={log.data} />
          </>
        )}
      </>
    ) : (
      values.map(([label, text], index) => (
        <span key={index}>
          {' '}
          {label !== '' && (
            <span class="quiet">
              <ChainText text={label} />:{' '}
            </span>
          )}
          <ResultText text={text} />
        </span>
      ))
    )}
  </>
)

interface FormProps {
  readonly known: readonly ContractEvent[]
  readonly filter: EventFilter
  readonly path: string
}

function FilterForm({ known, filter, path }: FormProps): VNode {
  const [topic, setTopic] = useState(filter.topic ?? '')
  const event = known.find((one) => topicOf(one) === topic)
  const indexed = event?.inputs.filter((input) => input.indexed) ?? []
  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault()
    const given = new FormData(submitted.currentTarget as HTMLFormElement)
    const texts: Record<string, string> = {}
    // The form has no fields for files.
    for (const [name, value] of given) if (typeof value === 'string') texts[name] = value.trim()
    follow(linkTo(path, texts))
  }
  return (
    <form class="controls" onSubmit={submit} aria-label="Filter of the events">
      {known.length > 0 && (
        <label>
          Event{' '}
          <select name="event" value={topic} onChange={(change) => setTopic(change.currentTarget.value)}>
            <option value="">all</option>
            {known.map((one) => (
              <option key={topicOf(one)} value={topicOf(one)}>
                {printable(one.name)}({one.inputs.map(({ type }) => type).join(', ')})
              </option>
            ))}
          </select>
        </label>
      )}
      {indexed.map(({ name = '', type }, index) => (
        <label key={`${topic} ${index}`}>
          {name === '' ? `value ${index}` : name}{' '}
          <input
            name={`value${index}`}
            defaultValue={filter.topic === topic ? filter.indexed[index] : ''}
            placeholder={type}
            spellcheck={false}
            autocomplete="off"
          />
        </label>
      ))}
      <BlockInput name="from" label="From block" block={filter.from} />
      <BlockInput name="to" label="to block" block={filter.to} />
      <button type="submit">Filter</button>
    </form>
  )
}

interface BlockInputProps {
  readonly name: string
  readonly label: string
  readonly block: number | undefined
}

const BlockInput = ({ name, label, block }: BlockInputProps): VNode => (
  <label>
    {label}{' '}
    <input name={name} defaultValue={block?.toString()} inputMode="numeric" size={9} autocomplete="off" />
  </label>
)
