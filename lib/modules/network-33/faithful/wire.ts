/** Envelopes and errors as the reference node writes them (node-rpc 2). */

import { NodeError } from '../../../base/errors.ts'
import { isJsonObject } from '../../../base/json-text.ts'
import type { WireError } from '../../../schema/report-results.ts'
import type { JsonRpcRequest, RequestId, WireForm } from '../../../kernel/wire-form.ts'
import { parseBody } from '../../../rpc/envelope.ts'
import { noMethod } from './signatures.ts'
import type { ChainEvent } from '../../../chain/filters/subscriptions.ts'
import { renderBlock, renderLog } from '../../../rpc/render/block.ts'

/** An error without this node's additional help: only reverts have data, and only the contract's. */
function shownError({ kind, message }: NodeError, { code, message: shown, data }: WireError): WireError {
  if (kind === 'methodNotFound' || kind === 'needsSocket')
    return { code, message: message.endsWith('is not available') ? message : 'method not found' }
  if (kind === 'executionFailed')
    return { code, message: 'VM Exception while processing transaction: transaction reverted' }
  if (kind === 'parseError') return { code, message: 'JSON parse error' }
  return { code, message: shown, ...(kind === 'reverted' && { data }) }
}

/** Parses a body, which may begin with a byte order mark. @throws NodeError */
function readBody(body: string): unknown {
  if (body === '') throw new NodeError('unexpectedError', 'Unexpected error')
  return parseBody(body.replace(/^\uFEFF/, ''))
}

/** Reads a request. The version is not checked, and a method that is not a text is unknown. @throws NodeError */
function readRequest(value: unknown): JsonRpcRequest {
  if (!isJsonObject(value)) throw new NodeError('invalidRequest', 'invalid request')
  const { id, method, params } = value
  const isId = id === undefined || id === null || typeof id === 'string' || typeof id === 'number'
  const isParams = params === undefined || params === null || typeof params === 'object'
  if (!isId || !isParams) throw new NodeError('unexpectedError', 'Unexpected error')
  return { id: id ?? undefined, method: typeof method === 'string' ? method : '', params: params ?? [] }
}

/** The text of an error. If the request cannot be identified, its id is the text `null`, or there is no envelope. */
function errorText(id: RequestId | undefined, error: WireError): string {
  const isBare = error.code === UNEXPECTED || error.message.startsWith('Cannot dispatch')
  if (isBare) return JSON.stringify({ error })
  const isUnknown = error.code === PARSE_ERROR || error.message === 'invalid request'
  return JSON.stringify({ jsonrpc: '2.0', id: isUnknown ? 'null' : (id ?? undefined), error })
}

const PARSE_ERROR = -32700
const UNEXPECTED = -32099

/** Codes of errors that have the HTTP status 400. */
const BAD_REQUEST =
  /^\{("jsonrpc":"2\.0",)?("id":("(\\.|[^"\\])*"|[^",]+),)?"error":\{"code":-32(602|600|700),/

const statusOf = (text = ''): number => (BAD_REQUEST.test(text) ? 400 : 200)

/** Maximum number of requests in a batch. */
const BATCH_LIMIT = 50

const batchTooLong = (): NodeError =>
  new NodeError(
    'invalidRequest',
    `Cannot dispatch batch requests. ${BATCH_LIMIT} is the max number of supported batch requests`,
  )

export const FAITHFUL_FORM: WireForm = {
  parseBody: readBody,
  readRequest,
  shownError,
  errorText,
  batchFault: (count) => (count > BATCH_LIMIT ? batchTooLong() : undefined),
  unknownMethod: ({ method, params }) => noMethod(method, params),
  answersAll: true,
  statusOf,
  eventText,
}

/** Bytes as notifications show them: without digits there is no `0x`. */
const bytes = (data = '0x'): string => (data === '0x' ? '0x00' : data)

/** The result of a notification; undefined for an event that the reference shows like this node. */
export function eventText(event: ChainEvent): string | undefined {
  if (event.kind === 'logs') {
    // The index counts from the transaction's first log.
    const logIndex = event.log.logIndex - event.log.receipt.firstLogIndex
    const log = renderLog({ ...event.log, logIndex })
    return JSON.stringify({ ...log, data: bytes(log.data) }, LOG)
  }
  if (event.kind !== 'heads') return undefined
  const block = renderBlock({ block: event.block, isPending: false }, false)
  return JSON.stringify({ ...block, baseEvent: bytes(block.baseEvent ?? undefined) }, HEADER)
}

/** Members in the reference's order. */
const LOG =
  'logIndex blockNumber blockHash transactionHash transactionIndex address data topics removed'.split(' ')
const HEADER = [
  ...'difficulty extraData gasLimit gasUsed logsBloom miner number parentHash receiptsRoot'.split(' '),
  ...'sha3Uncles stateRoot timestamp transactionsRoot hash baseEvent'.split(' '),
]
