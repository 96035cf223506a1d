/** The JSON-RPC 2.0 envelope: what a request is, and how an answer is written. Knows no method. */

import { NodeError } from '../base/errors.ts'
import type { WireError } from './error-codes.ts'
import { textOfResult } from './raw-json.ts'

/** Id of a request; echoed as it came. */
export type RequestId = string | number | null

/** A request of the right form. Without an id it is a notification, which nobody answers. */
export interface Request {
  readonly id: RequestId | undefined
  readonly method: string
  readonly params: unknown
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (id: unknown): id is RequestId | undefined =>
  // What JSON.parse rounds could not be echoed: 1e999 as Infinity, integers beyond 2^53 as others.
  id === undefined || id === null || typeof id === 'string' || (Number.isFinite(id) && !isRounded(id))

const isRounded = (id: unknown): boolean => Number.isInteger(id) && !Number.isSafeInteger(id)

/** Parses a body. @throws NodeError 'parseError' */
export function parseBody(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body)
    return parsed
  } catch (cause) {
    throw new NodeError(
      'parseError',
      `JSON parse error: ${cause instanceof Error ? cause.message : 'not JSON'}`,
      { cause },
    )
  }
}

/** Reads a request. @throws NodeError 'invalidRequest' that says which member is wrong */
export function readRequest(value: unknown): Request {
  if (!isRecord(value)) throw invalid('expected an object')
  const { jsonrpc, id, method, params } = value
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"')
  if (!isId(id)) throw invalid('id must be a string, a number of at most 53 bits, or null')
  if (typeof method !== 'string') throw invalid('method must be a string')
  // Left out; JSON-RPC knows no null here, but some clients send it and other nodes take it (geth, rpc/json.go).
  if (params === undefined || params === null) return { id, method, params: undefined }
  if (!Array.isArray(params) && !isRecord(params)) throw invalid('params must be an array or an object')
  return { id, method, params }
}

/** Id of what may not even be a request, for its error. */
export function idOf(value: unknown): RequestId {
  return isRecord(value) && isId(value['id']) ? (value['id'] ?? null) : null
}

function invalid(reason: string): NodeError {
  return new NodeError('invalidRequest', `invalid request: ${reason}`)
}

/** Text of a successful answer. */
export function resultText(id: RequestId, result: unknown): string {
  return enclosed(id, textOfResult(result))
}

/** The same around a result that is JSON already. */
export function enclosed(id: RequestId, json: string): string {
  return `${resultStart(id)}${json}${RESULT_END}`
}

/** What stands before a result. */
export function resultStart(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
}

/** What stands behind a result. */
export const RESULT_END = '}'

/** Text of an answer with an error. */
export function errorText(id: RequestId, error: WireError): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`
}
