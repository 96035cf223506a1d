/** How the reference node reads objects in params (node-rpc 3.10 and 8.1). */

import { isJsonObject } from '../../../base/json-text.ts'
import { logBound, traceBound } from './blocks.ts'
import { address, data, hash, jsonInteger, number, refused, serverError, text } from './values.ts'
import type { Reader } from './values.ts'

/** The members of an object, each read by its reader; others are ignored. */
function members(value: unknown, readers: Readonly<Record<string, Reader>>): Record<string, unknown> {
  if (!isJsonObject(value)) return {}
  const given: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const result = Object.hasOwn(readers, name) ? readers[name]?.(member) : undefined
    if (result !== undefined) given[name] = result
  }
  return given
}

/** Null means absent. */
const optional =
  (read: Reader): Reader =>
  (value) =>
    value === null ? undefined : read(value)

/** Objects and lists have no text and are read as empty. */
const scalar = (value: unknown): unknown => (typeof value === 'object' ? '' : value)

const SENT_NUMBER = optional((value) => number(scalar(value)))
const CALLED_NUMBER = optional((value) => (scalar(value) === '' ? undefined : number(value)))
const ADDRESS = optional((value) => address(scalar(value)))
const DATA = optional((value) => data(scalar(value)))

const callReaders = (count: Reader) => ({
  from: ADDRESS,
  to: ADDRESS,
  gas: count,
  gasPrice: count,
  gasLimit: count,
  nonce: count,
  chainId: count,
  value: count,
  data: DATA,
  input: DATA,
})

function call(value: unknown, count: Reader) {
  if (value === null) throw serverError()
  const { input, ...read } = members(value, callReaders(count))
  return input === undefined ? read : { ...read, data: input }
}

/** Members that are read and then not used. */
const UNUSED = new Set(['gasLimit', 'nonce', 'chainId'])

/** A call. Only own members count, and negative amounts count as absent. */
export const calledObject: Reader = (value) => {
  const read = call(value, CALLED_NUMBER)
  if ('gas' in read && BigInt(String(read['gas'])) >= 2n ** 64n) throw serverError()
  const counts = ([name, member]: [string, unknown]): boolean =>
    !UNUSED.has(name) && (name !== 'value' || BigInt(String(member)) < 2n ** 255n)
  return Object.fromEntries(Object.entries(read).filter(counts))
}

/** Gas of a transaction that names none: 90,000. */
const DEFAULT_GAS = '0x15f90'

/** A transaction to sign. Chain id 0 means the chain's own (node-rpc 5.8). */
export const sentObject: Reader = (value) => {
  const { from, chainId, gasLimit, ...read } = call(value, SENT_NUMBER)
  if (from === undefined) throw refused('from is null')
  const gas = read['gas'] ?? gasLimit ?? DEFAULT_GAS
  return { ...read, from, gas, ...(chainId !== undefined && chainId !== '0x0' && { chainId }) }
}

const TOPIC = hash('topic')

const topics: Reader = (value) => {
  if (value === null) return undefined
  if (!Array.isArray(value)) return [TOPIC(value)]
  const positions = value.map((one: unknown) => {
    if (!Array.isArray(one)) return one === null ? [] : [TOPIC(one)]
    return one.filter((choice) => choice !== null).map(TOPIC)
  })
  // A position at the end that matches any topic also matches logs without one. A log has at most four.
  while (positions.at(-1)?.length === 0) positions.pop()
  return positions.slice(0, 4)
}

const addresses: Reader = (value) => {
  if (value === null) return undefined
  return Array.isArray(value) ? value.map((one: unknown) => address(scalar(one))) : address(value)
}

export const logFilter: Reader = (value) => {
  const read = members(value, {
    fromBlock: logBound,
    toBlock: logBound,
    blockHash: (given) => hash('block hash')(given === null ? 'null' : given),
    address: addresses,
    topics,
  })
  if ('blockHash' in read && ('fromBlock' in read || 'toBlock' in read))
    throw refused('Cannot specify both blockHash and fromBlock/toBlock')
  return read
}

const MAX_TRACES = 10_000

const tooBig = (what: string): string => `${what} value too big. Maximum ${MAX_TRACES} traces allowed.`

/** Senders and receivers are compared as text: what is not an address matches nothing. */
const filterAddresses: Reader = (value) =>
  Array.isArray(value)
    ? value.map((one: unknown) => {
        const given = one === null ? '' : String(text(one)).toLowerCase()
        return /^0x[0-9a-f]{40}$/.test(given) ? given : NO_ACCOUNT
      })
    : undefined

const NO_ACCOUNT = `0x${'ff'.repeat(20)}`

export const traceFilter: Reader = (value) => {
  if (value === null) throw refused('Invalid trace_filter parameters.')
  const { after, count, ...read } = members(value, {
    fromBlock: traceBound,
    toBlock: traceBound,
    fromAddress: filterAddresses,
    toAddress: filterAddresses,
    after: optional(jsonInteger),
    count: optional(jsonInteger),
  })
  if (Number(after) < 0) throw refused('After value cannot be negative.')
  if (Number(after) > MAX_TRACES) throw refused(tooBig('After'))
  if (Number(count) > MAX_TRACES) throw refused(tooBig('Count'))
  if (read['fromBlock'] === 'pending') throw refused('fromBlock cannot be greater than toBlock')
  return { ...read, ...(after !== undefined && { after }), ...(count !== undefined && { count }) }
}
