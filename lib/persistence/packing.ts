/** Converts values of the chain to JSON and back. Bigints and bytes become marked strings. */

import { fromHex, toHex, toQuantity } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'
import { EMPTY_BLOOM } from '../evm/outcome.ts'

/** First character of marked strings. An ordinary string that starts with it gets a mark too. */
const MARK = '~'
const TEXT = '~t'
const NUMBER = '~n'
const BYTES = '~b'
/** The empty bloom. Unpacked receipts share one object for it. */
const NO_LOGS = '~0'

/** The value with bigints and bytes as marked strings. JSON leaves out undefined members. */
export function pack(value: unknown): unknown {
  if (typeof value === 'bigint') return `${NUMBER}${toQuantity(value)}`
  if (typeof value === 'string') return value.startsWith(MARK) ? `${TEXT}${value}` : value
  return typeof value === 'object' && value !== null ? packObject(value) : value
}

function packObject(value: object): unknown {
  if (value instanceof Uint8Array) return isEmptyBloom(value) ? NO_LOGS : `${BYTES}${toHex(value)}`
  if (Array.isArray(value)) return value.map(pack)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, pack(member)]))
}

const isEmptyBloom = (bytes: Uint8Array): boolean =>
  bytes.length === EMPTY_BLOOM.length && bytes.every((byte) => byte === 0)

/** The original of a packed value. */
export function unpack(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? unpackText(value) : value
  if (Array.isArray(value)) return value.map(unpack)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unpack(member)]))
}

function unpackText(text: string): unknown {
  const [mark, rest] = [text.slice(0, 2), text.slice(2)]
  switch (mark) {
    case TEXT:
      return rest
    case NUMBER:
      return BigInt(rest)
    case BYTES:
      return fromHex(rest)
    case NO_LOGS:
      return EMPTY_BLOOM
    default:
      throw new InvariantError(`packed text with the unknown mark ${mark}`)
  }
}
