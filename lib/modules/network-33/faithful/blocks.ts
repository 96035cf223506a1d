/** How the reference node reads references to blocks (node-rpc 3.7 to 3.9). */

import { isJsonObject } from '../../../base/json-text.ts'
import { hash, number, refused, serverError, text, tokenText, type Reader } from './values.ts'

const isHex = (given: string): boolean => /^0x[0-9a-fA-F]+$/.test(given)
const isDecimal = (given: string): boolean => /^\d+$/.test(given)
const isTag = (given: string): boolean => /^(latest|earliest|pending)$/.test(given)

/** Longest text that is a number. */
const MAX_LENGTH = 66

/** A text whose form was checked: a tag, a hash or a 64-bit number (node-rpc 3.9). */
function resolved(given: string): string {
  if (isTag(given)) return given
  if (given.length > MAX_LENGTH) throw refused(`invalid block identifier ${given.slice(0, MAX_LENGTH)}...`)
  if (/^(0x)?[0-9a-f]{62,66}$/.test(given) && given.length >= 64) return String(hash('block hash')(given))
  if (!isHex(given)) throw refused(`invalid blocknumber ${given}`)
  return `0x${BigInt.asUintN(64, BigInt(given)).toString(16)}`
}

/** A text whose form is checked before it is resolved. */
function identifier(given: string): string {
  if (given === '') throw refused('Invalid block identifier: empty or null.')
  if (isDecimal(given) || isHex(given) || /^(pending|latest|earliest|finalized|safe)$/i.test(given))
    return given
  throw refused(`Invalid block identifier '${given}'`)
}

/** A block by a text (node-rpc 3.7). */
export const blockId: Reader = (value) => resolved(identifier(tokenText(value)))

/** A block by a text whose form is not checked first. */
export const looseBlockId: Reader = (value) => resolved(String(text(value)))

/** A bound of a log filter. Null and absent differ (node-rpc 8.1 and 8.2). */
export const logBound: Reader = (value) => {
  const given = identifier(value === null ? 'null' : typeof value === 'object' ? '' : tokenText(value))
  const lower = given.toLowerCase()
  if (isTag(lower)) return lower
  if (!isHex(given) || BigInt(given) >= 2n ** 63n) throw serverError()
  return `0x${BigInt(given).toString(16)}`
}

export const traceBound: Reader = (value) => {
  const given = String(text(value))
  if (isTag(given.toLowerCase())) return given.toLowerCase()
  if (!isHex(given)) throw serverError()
  return `0x${BigInt.asUintN(64, BigInt(given)).toString(16)}`
}

/** A block by a short text or a hash, for trace_block. */
export const traceBlock: Reader = (value) => {
  const given = String(text(value))
  if (given.length < 20) return looseBlockId(given)
  if (!/^(0x)?[0-9a-fA-F]{63,64}$/.test(given)) throw serverError()
  return hash('block hash')(given)
}

const UNSUPPORTED =
  "Can only be either 'earliest', 'latest', 'pending' or a specific block number (either hex - prepending '0x' or decimal)."

/** The block whose state an execution uses, by number or tag. Decimal numbers are allowed, hashes are not. */
function executed(given: string): string {
  if (isTag(given)) return given
  if (!isDecimal(given) && !isHex(given))
    throw refused(`Unsupported block specifier '${given}'. ${UNSUPPORTED}`)
  if (BigInt(given) >= 2n ** 63n) throw serverError()
  return `0x${BigInt(given).toString(16)}`
}

export const estimateBlock: Reader = (value) =>
  value === null ? 'latest' : executed(identifier(tokenText(value)))

/** A block by a text or an object (node-rpc 3.8); `resolve` reads the text. */
function reference(value: unknown, resolve: (given: string) => unknown): unknown {
  if (value === null) throw serverError()
  if (typeof value === 'string') {
    if (!isTag(value) && !isDecimal(value) && !isHex(value))
      throw refused(`Invalid block identifier '${value}'`)
    return resolve(value)
  }
  if (!isJsonObject(value)) throw refused('Invalid input')
  const { blockHash, blockNumber, requireCanonical } = value
  const members = [blockHash, blockNumber, requireCanonical]
  if (blockHash === undefined && blockNumber === undefined) throw refused('Invalid block input')
  if (members.some((member) => member !== undefined && typeof member !== 'string')) throw serverError()
  if (typeof requireCanonical === 'string' && !/^(true|false)$/i.test(requireCanonical))
    throw refused('Invalid input: requireCanonical must be a String "true" or "false"')
  const isRequired = { requireCanonical: String(requireCanonical).toLowerCase() === 'true' }
  if (blockHash !== undefined) return { blockHash: hash('block hash')(blockHash), ...isRequired }
  return resolve(String(number(blockNumber)))
}

export const stateBlock: Reader = (value) => reference(value, resolved)

/** The block whose code is read. A hash as text is read as a number. */
export const codeBlock: Reader = (value) =>
  reference(value, (given) =>
    isHex(given) ? `0x${BigInt.asUintN(64, BigInt(given)).toString(16)}` : resolved(given),
  )

export const calledBlock: Reader = (value) => reference(value, executed)
