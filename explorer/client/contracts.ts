/** Contracts as the node knows them, and the selectors of their functions. */

import { AbiEvent, AbiFunction } from 'ox'
import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { ask } from './json-rpc.ts'

export type Contract = NonNullable<RpcMethods['dev_getContract']['result']>

/** A function or an event; `selector` is given if it is not the hash of the signature. */
type Selected<T> = T & { readonly selector?: string }
export type ContractFunction = Selected<AbiFunction.AbiFunction>
export type ContractEvent = Selected<AbiEvent.AbiEvent>

/** All items: those of the contract behind a proxy, of the contract itself, and those with selectors of their own. */
const itemsOf = ({
  abi,
  implementation,
  bySelector = [],
}: Contract): readonly { readonly type: string }[] => [...(implementation?.abi ?? []), ...abi, ...bySelector]

/** The functions of a contract. Of functions with the same selector the first counts. */
export const functionsOf = (contract: Contract): readonly ContractFunction[] =>
  unique(itemsOf(contract).filter(isFunction), selectorOf)

/** The events of a contract. */
export const eventsOf = (contract: Contract): readonly ContractEvent[] =>
  unique(itemsOf(contract).filter(isEvent), topicOf)

function unique<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const byKey = new Map<string, T>()
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item)
  return [...byKey.values()]
}

const isFunction = (item: { readonly type: string }): item is ContractFunction => item.type === 'function'
const isEvent = (item: {
  readonly type: string
  readonly anonymous?: boolean | undefined
}): item is ContractEvent => item.type === 'event' && item.anonymous !== true

export const selectorOf = (of: ContractFunction): string => of.selector ?? AbiFunction.getSelector(of)

/** First topic of the logs of an event. */
export const topicOf = (of: ContractEvent): string => of.selector ?? AbiEvent.getSelector(of)

/** The call data of a function. */
export const callData = (of: ContractFunction, values: readonly unknown[]): string =>
  selectorOf(of) + AbiFunction.encodeData(of, values as never).slice(10)

/** The decoded values of a log. @throws Error if the log does not fit the event */
export const decodedLog = (
  of: ContractEvent,
  { topics, data }: { readonly topics: readonly string[]; readonly data: string },
): unknown =>
  AbiEvent.decode(of, {
    topics: [AbiEvent.getSelector(of), ...topics.slice(1)] as never,
    data: data as `0x${string}`,
  })

/** The topics of logs of an event with some indexed values; undefined for any value. */
export const topicsOf = (of: ContractEvent, indexed: readonly unknown[]): readonly (string | null)[] => {
  if (indexed.every((value) => value === undefined)) return [topicOf(of)]
  const { topics } = AbiEvent.encode(of, indexed as never)
  return [topicOf(of), ...topics.slice(1).map((topic) => (typeof topic === 'string' ? topic : null))]
}

/** The known contract at an address. */
export const contractAt = (address: string): Promise<Contract | null> => ask('dev_getContract', address)
