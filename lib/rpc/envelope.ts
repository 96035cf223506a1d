/** Reads JSON-RPC 2.0 requests and writes responses. Methods are declared in methods/. */

import { NodeError } from '../base/errors.ts'
import { isJsonObject } from '../base/json-text.ts'
import { reasonOf } from '../base/system-errors.ts'
import { tooLong } from '../base/text-stream.ts'
import type { WireError } from '../schema/report-results.ts'
import { shorten } from '../base/shorten.ts'
import type { JsonRpcRequest, RequestId, WireForm } from '../kernel/wire-form.ts'
import { textOfResult } from '../kernel/raw-json.ts'

const isId = (id: unknown): id is RequestId | undefined =>
  // The response could not repeat a number that JSON.parse rounds: 1e999 becomes Infinity, integers beyond 2^53 change.
  id === undefined || id === null || typeof id === 'string' || (Number.isFinite(id) && !isRounded(id))

const isRounded = (id: unknown): boolean => Number.isInteger(id) && !Number.isSafeInteger(id)

/** Parses a body. @throws NodeError 'parseError' */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new NodeError('parseError', `JSON parse error: ${reasonOf(cause)}`, { cause })
  }
}

/** Reads a request. @throws NodeError 'invalidRequest' that names the wrong member */
export function readRequest(value: unknown): JsonRpcRequest {
  if (!isJsonObject(value)) throw invalid('expected an object')
  const { jsonrpc, id, method, params } = value
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"')
  if (!isId(id)) throw invalid('id must be a string, a number of at most 53 bits, or null')
  if (typeof method !== 'string') throw invalid('method must be a string')
  // JSON-RPC allows no null here, but some clients send it and other nodes accept it (geth, rpc/json.go).
  if (params === undefined || params === null) return { id, method, params: undefined }
  if (!Array.isArray(params) && !isJsonObject(params)) throw invalid('params must be an array or an object')
  return { id, method, params }
}

/** Id for the error of a value that may not be a valid request. */
export const idOf = (value: unknown): RequestId =>
  isJsonObject(value) && isId(value['id']) ? (value['id'] ?? null) : null

const invalid = (reason: string): NodeError => new NodeError('invalidRequest', `invalid request: ${reason}`)

export const resultText = (id: RequestId, result: unknown): string =>
  `${resultStart(id)}${textOfResult(result)}${RESULT_END}`

/** JSON text of a response up to its result. */
export const resultStart = (id: RequestId): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`

/** JSON text of a response after its result. */
export const RESULT_END = '}'

export const errorText = (id: RequestId, error: WireError): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`

/** Maximum number of bytes of a UTF-16 code unit in UTF-8. */
const MAX_UNIT_BYTES = 3

/** Whether a text has more bytes than the limit. Most texts are too short to need counting. */
export const isLonger = (text: string, limit: number): boolean =>
  text.length * MAX_UNIT_BYTES > limit && Buffer.byteLength(text) > limit

/** Copies the params of a request from the same process. @throws NodeError 'invalidParams' if JSON cannot express a value */
export function ownParams(method: string, params: unknown): unknown {
  if (params === undefined) return undefined
  try {
    return plainCopy(params, MAX_DEPTH) ?? JSON.parse(JSON.stringify(params))
  } catch (cause) {
    throw new NodeError('invalidParams', `params of ${method} are no JSON: ${reasonOf(cause)}`, { cause })
  }
}

/** Maximum depth of values that are copied member by member. */
const MAX_DEPTH = 5

/** Copies without JSON, which is slower; undefined if a part is not an array, plain object, text, boolean or null. */
function plainCopy(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object' || depth === 0) return undefined
  if (Array.isArray(value)) {
    const copies = value.map((item) => plainCopy(item, depth - 1))
    return copies.includes(undefined) ? undefined : copies
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined
  const copy: Record<string, unknown> = { ...value }
  for (const [name, member] of Object.entries(copy)) {
    if (typeof member === 'string') continue
    copy[name] = plainCopy(member, depth - 1)
    if (copy[name] === undefined) return undefined
  }
  return copy
}

/** Copies a result, which can be JSON text already. @throws NodeError 'limitExceeded' if the text is longer than the limit */
export function ownResult(result: unknown, limit: number): unknown {
  const text = textOfResult(result)
  if (isLonger(text, limit)) throw tooLong(limit)
  return typeof result === 'string' ? result : JSON.parse(text)
}

/** How this node reads envelopes and writes errors, unless a module answers like another node. */
export const OWN_FORM: WireForm = {
  parseBody,
  readRequest,
  shownError: (_, wire) => wire,
  errorText: (id, error) => errorText(id ?? null, error),
  batchFault: (count, limit) => {
    if (count > 0 && count <= limit) return undefined
    const reason = count === 0 ? 'empty batch' : `batch of ${count} exceeds the limit of ${limit}`
    return new NodeError('invalidRequest', `invalid request: ${reason}`)
  },
  unknownMethod: ({ method: name }, methods) => {
    const shown = name === '' ? '""' : shorten(name)
    const own = methods.methodNamed(name)
    const hint = own === undefined ? '' : `: here it is ${own}; the \`names\` of a preset choose another`
    return new NodeError('methodNotFound', `the method ${shown} does not exist/is not available${hint}`)
  },
  answersAll: false,
  statusOf: (text) => (text === undefined ? 204 : 200),
}
