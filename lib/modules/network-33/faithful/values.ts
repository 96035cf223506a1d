/** How the reference node reads single values of params, with its texts (node-rpc 3 and the recorded answers). */

import { NodeError, invalidParams } from '../../../base/errors.ts'
import { SECP256K1_ORDER } from '../../../crypto/curve.ts'
import { isJsonObject } from '../../../base/json-text.ts'

/** Reads a value in the form that this node's methods take. @throws NodeError with the reference's text */
export type Reader = (value: unknown) => unknown

export const refused = (message: string): NodeError => invalidParams(message)

/** The answer where the reference fails. */
export const serverError = (): NodeError => new NodeError('serverError', 'Internal server error')

const parseError = (): NodeError => new NodeError('parseError', 'JSON parse error')

/** The text of a JSON token; for an object or list, its first character. @throws NodeError 'serverError' for null */
export function tokenText(value: unknown): string {
  if (value === null || value === undefined) throw serverError()
  if (typeof value === 'object') return Array.isArray(value) ? '[' : '{'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A text, or a number or boolean as one. */
export const text: Reader = (value) => {
  if (isJsonObject(value) || Array.isArray(value)) throw parseError()
  return tokenText(value)
}

/** The digits after an optional `0x`; undefined if one is not hexadecimal. */
function digitsOf(value: string): string | undefined {
  const digits = value.replace(/^0x/, '')
  return /^[0-9a-fA-F]*$/.test(digits) ? digits : undefined
}

const padded = (digits: string): string => `0x${digits.length % 2 === 0 ? '' : '0'}${digits.toLowerCase()}`

/** Node-rpc 3.1. */
export const address: Reader = (value) => {
  const given = tokenText(value)
  if (given.length < 40 || given.length > 42)
    throw refused('Invalid address: null, empty or invalid hex value.')
  const digits = digitsOf(given)
  const bytes = digits === undefined ? '' : padded(digits)
  if (bytes.length !== 42) throw refused('Invalid address format: invalid hex value.')
  return bytes
}

/** Node-rpc 3.2. */
export const hash =
  (kind: string): Reader =>
  (value) => {
    const given = tokenText(value)
    const digits = given.length < 64 || given.length > 66 ? '' : digitsOf(given)
    if (digits === undefined) throw refused(`Invalid ${kind} format: invalid hex value`)
    if (padded(digits).length !== 66) throw refused(`Invalid ${kind}: incorrect length.`)
    return padded(digits)
  }

/** The same, but null has its own text. */
export const blockHash: Reader = (value) => {
  if (value === null) throw refused('blockHash is null')
  return hash('block hash')(value)
}

/** A hash that is checked only when used. With another length it is unknown, or fails if `mustFit`. */
export const looseHash =
  (mustFit = false): Reader =>
  (value) => {
    const digits = digitsOf(String(text(value)))
    if (digits === undefined || (mustFit && padded(digits).length !== 66)) throw serverError()
    return `0x${digits.toLowerCase().padStart(64, '0').slice(-64)}`
  }

const NOT_A_NUMBER = 'Number values should not contain letters or hex values should start with 0x.'

/** Node-rpc 3.3. A negative number is its two's complement of 256 bits. */
export const number: Reader = (value) => {
  const given = tokenText(value)
  if (given === '') throw refused(NOT_A_NUMBER)
  if (given.length > 66) throw refused(`Invalid param: ${given.trim()}`)
  if (/^0x[0-9a-fA-F]*$/.test(given)) return `0x${BigInt(given === '0x' ? 0 : given).toString(16)}`
  if (/^-?\d+$/.test(given)) return `0x${BigInt.asUintN(256, BigInt(given)).toString(16)}`
  if (/^[0-9a-fA-F]+$/.test(given)) throw refused(NOT_A_NUMBER)
  throw refused(`Invalid param ${given}: value must be a valid hex or string number.`)
}

/** Node-rpc 3.4. */
export const data: Reader = (value) => {
  const digits = digitsOf(tokenText(value))
  if (digits === undefined) throw refused('Invalid data format: invalid hex value.')
  return padded(digits)
}

/** Node-rpc 3.5 and 3.6. */
export const lowerHex =
  (kind: 'index' | 'duration'): Reader =>
  (value) => {
    if (kind === 'duration' && (value === null || value === '')) return undefined
    const given = tokenText(value)
    if (given !== '' && !/^0x[0-9a-f]*$/.test(given))
      throw refused(`Invalid argument "${given}": param should be a hex value string.`)
    const index = given.length < 3 ? Infinity : Number(given)
    if (index > 2 ** 31 - 1) throw refused(`Invalid ${kind} param: value must be a valid hex number.`)
    return `0x${index.toString(16)}`
  }

/** A boolean. Numbers other than 0 are true. */
export const flag: Reader = (value) => {
  if (value === null) throw serverError()
  if (typeof value === 'number') return value !== 0
  const given = String(text(value)).toLowerCase()
  if (given !== 'true' && given !== 'false') throw parseError()
  return given === 'true'
}

/** Data with a prefix and a digit at least (node-rpc 3.11). */
export const prefixedData: Reader = (value) => {
  const given = value === null ? '' : String(text(value))
  if (!/^0x[0-9a-fA-F]+$/.test(given))
    throw refused("Parameter must be hexadecimal encoded with the '0x' prefix.")
  return data(given)
}

/** A private key (node-rpc 3.11): of any length, as the point of the curve that its digits lead to. */
export const key: Reader = (value) => {
  if (value === null) throw refused('Key cannot be null.')
  const given = tokenText(value)
  const digits = digitsOf(given)
  if (digits === undefined) throw refused(`Invalid param ${given}: value must be a valid hex.`)
  if (digits.length % 2 === 1) throw serverError()
  return `0x${(BigInt(`0x0${digits}`) % SECP256K1_ORDER).toString(16).padStart(64, '0')}`
}

/** Seconds of evm_increaseTime. Zero and negative numbers do not move time. */
export const seconds: Reader = (value) => {
  const given = String(text(value))
  if (!/^(0x[0-9a-fA-F]+|-?\d+)$/.test(given)) throw refused(`invalid number of seconds ${given}`)
  const wanted = BigInt(given)
  return `0x${(wanted < 0n ? 0n : wanted).toString(16)}`
}

export const snapshotId: Reader = (value) => {
  const given = value === null ? 'null' : String(text(value))
  if (!/^0x[0-9a-fA-F]+$/.test(given)) throw refused(`invalid snapshot id ${given}`)
  return `0x${BigInt(given).toString(16)}`
}

/** An address. Its length has its own error text, and is checked only for hexadecimal text. */
export const quotaAddress: Reader = (value) => {
  const digits = digitsOf(String(text(value)))
  if (digits === undefined) throw serverError()
  const { length } = padded(digits)
  if (length === 42) return padded(digits)
  throw refused(`invalid argument 0: hex string has length ${digits.length}, want 40 for NODE address`)
}

export const jsonInteger: Reader = (value) => {
  const given = String(text(value))
  if (!/^-?\d+$/.test(given)) throw parseError()
  return Number(given)
}

/** Positions of trace_get. */
export const positions: Reader = (value) => {
  const isHex = (one: unknown): boolean => typeof one === 'string' && /^0x[0-9a-fA-F]+$/.test(one)
  if (Array.isArray(value) && value.length === 1 && !isHex(value[0])) throw serverError()
  return value
}
