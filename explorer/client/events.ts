/** Loads the events of a contract that match the filter in the URL. */

import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { readArgument } from '../format/arguments.ts'
import { namedValues } from '../format/values.ts'
import { batched } from './batched.ts'
import { contractAt, decodedLog, eventsOf, topicOf, topicsOf } from './contracts.ts'
import type { ContractEvent } from './contracts.ts'
import { ask } from './json-rpc.ts'

type Log = RpcMethods['eth_getLogs']['result'][number]

/** Blocks that are searched if the filter names none. */
export const DEFAULT_BLOCKS = 10_000

/** Criteria of the search. */
export interface EventFilter {
  /** First topic of the event; undefined for all events. */
  readonly topic: string | undefined
  /** Texts by the positions of the indexed arguments; empty for any value. */
  readonly indexed: readonly string[]
  readonly from: number | undefined
  readonly to: number | undefined
}

/** A log, with its name and values if the event is known. */
export interface ShownEvent {
  readonly log: Log
  readonly name: string | undefined
  readonly values: readonly (readonly [string, string])[]
}

/** The events, newest first, and the blocks that were searched. */
export interface FoundEvents {
  readonly found: readonly ShownEvent[]
  readonly from: number
  readonly to: number
}

/** Searches the logs. @throws Error that names a wrong value, or RpcError if there are too many */
export async function eventsIn(
  address: string,
  known: readonly ContractEvent[],
  filter: EventFilter,
): Promise<FoundEvents> {
  const head = Number(await ask('eth_blockNumber'))
  const to = Math.min(filter.to ?? head, head)
  const from = filter.from ?? Math.max(0, to - DEFAULT_BLOCKS + 1)
  const [fromBlock, toBlock] = [quantity(from), quantity(to)]
  const logs = await ask('eth_getLogs', { address, fromBlock, toBlock, ...topicsIn(known, filter) })
  const byTopic = new Map(known.map((event) => [topicOf(event), event]))
  return { found: logs.toReversed().map((log) => shownEvent(log, byTopic)), from, to }
}

function topicsIn(known: readonly ContractEvent[], { topic, indexed }: EventFilter) {
  if (topic === undefined) return {}
  const event = known.find((one) => topicOf(one) === topic)
  if (event === undefined) return { topics: [topic] }
  const inputs = event.inputs.filter((input) => input.indexed)
  const values = inputs.map((input, index) => {
    const text = indexed[index] ?? ''
    return text === '' ? undefined : readArgument(input, text)
  })
  return { topics: [...topicsOf(event, values)] }
}

const shownEvent = (log: Log, byTopic: EventsByTopic): ShownEvent => ({ log, ...decoded(log, byTopic) })

type EventsByTopic = ReadonlyMap<string, ContractEvent>
type Decoded = Pick<ShownEvent, 'name' | 'values'>

const UNKNOWN: Decoded = { name: undefined, values: [] }

function decoded(log: Pick<Log, 'topics' | 'data'>, byTopic: EventsByTopic): Decoded {
  const event = byTopic.get(log.topics[0] ?? '')
  if (event === undefined) return UNKNOWN
  try {
    return { name: event.name, values: namedValues(decodedLog(event, log)) }
  } catch {
    // Another event with the same topic, such as one with other indexed arguments.
    return UNKNOWN
  }
}

const eventsAt = batched<EventsByTopic>((addresses) =>
  Promise.all(
    addresses.map(async (address) => {
      const contract = await contractAt(address)
      return new Map((contract === null ? [] : eventsOf(contract)).map((one) => [topicOf(one), one]))
    }),
  ),
)

/** Name and values of an event that the node does not decode, such as one of the Bridge; no name before they are loaded. */
export const namedEvent = (log: Pick<Log, 'address' | 'topics' | 'data'>): Decoded =>
  decoded(log, eventsAt(log.address) ?? new Map())

const quantity = (number: number): string => `0x${number.toString(16)}`
