/** Reads the answer of a message: a result or a fault for each of its requests. */

import { isBatchRefusal, isBatchTooLong, isRateLimit, type RemoteErrorObject } from './remote-error.ts'
import { notJson, transient, type RemoteFault, type RemoteReply, type StatusReply } from './transport.ts'

/** The answer to one request of a message. */
export type RemoteAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The batch was too long for the remote, which may take one of `limit` requests. */
  | { readonly kind: 'tooLong'; readonly limit: number }
  | FailedAnswer

/** A JSON-RPC error, or no valid answer. */
export type FailedAnswer =
  | { readonly kind: 'error'; readonly error: RemoteErrorObject; readonly isTransient: boolean }
  | RemoteFault

/** Reads a reply to the requests with these ids, in their order. */
export function readAnswers(ids: readonly number[], reply: RemoteReply): readonly RemoteAnswer[] {
  if (reply.kind === 'fault') return ids.map(() => reply)
  const isBatch = ids.length > 1
  if (reply.kind === 'json')
    return isBatch ? readBatch(ids, reply.json) : ids.map((id) => readSingle(id, reply.json))
  const { status, json, fault } = reply
  if (fault.isRateLimit === true) return ids.map(() => fault)
  if (isBatch) return readBatchWithStatus(ids, reply)
  // Some nodes answer JSON-RPC errors with a status of their own.
  return ids.map((id) => {
    const answer = readSingle(id, json)
    return answer.kind === 'error' && saysMore(answer.error, status) ? answer : fault
  })
}

/** Whether an error says more than the status: it has a code, and is not the internal error of a failing server. */
const saysMore = ({ code }: RemoteErrorObject, status: number): boolean =>
  code !== NO_CODE && !(code === INTERNAL_ERROR && status >= 500)

/** Stands for the code of an error object that has none, which is not one of JSON-RPC. */
const NO_CODE = 0

const INTERNAL_ERROR = -32603

/**
 * Maximum requests of the next batches after these answers to a message. Half as many may avoid a rate limit, or a text in place of
 * JSON.
 */
export function batchLimitAfter(answers: readonly RemoteAnswer[]): number {
  const { length } = answers
  if (length === 1) return Infinity
  const limits = answers.map((answer) => {
    if (answer.kind === 'tooLong') return answer.limit
    const mayBeSize = answer.kind === 'fault' && (answer.isRateLimit === true || answer === notJson)
    return mayBeSize ? Math.floor(length / 2) : Infinity
  })
  return Math.min(...limits)
}

function readBatchWithStatus(
  ids: readonly number[],
  { status, json, detail = '', fault }: StatusReply,
): readonly RemoteAnswer[] {
  if (Array.isArray(json)) return readBatch(ids, json)
  const isRefused = (status >= 400 && status < 500) || isBatchRefusal(detail)
  return ids.map(() => (isRefused ? tooLong(ids, detail) : fault))
}

/** Limits of batches that are common among providers. The reference node of network 33 takes 50. */
const COMMON_LIMITS = [50, 10, 3]

/** The answer of a remote that refuses a batch. Its text may name the limit. */
function tooLong({ length }: readonly number[], text: string): RemoteAnswer {
  const numbers = (text.match(/\b\d+\b/g) ?? []).map(Number).filter((number) => number > 0)
  const named = numbers.filter((number) => number < length)
  const common = COMMON_LIMITS.find((limit) => limit < length) ?? 1
  return { kind: 'tooLong', limit: named.length === 0 ? common : Math.max(...named) }
}

/** Reads the answer to a request that was sent alone. An error without an id is about it too. */
function readSingle(id: number, json: unknown): RemoteAnswer {
  const response = readResponse(json)
  if (response === undefined) return notJsonRpc
  const isOwn = response.id === id || (response.id === undefined && response.answer.kind === 'error')
  return isOwn ? response.answer : transient((method) => `answered ${method} under another id`)
}

function readBatch(ids: readonly number[], json: unknown): readonly RemoteAnswer[] {
  if (!Array.isArray(json)) return readWholeError(ids, json)
  const responses = json.flatMap((item: unknown) => readResponse(item) ?? [])
  // Some servers answer a refused batch with one error in an array.
  const [only] = responses
  if (responses.length === 1 && only?.id === undefined && only?.answer.kind === 'error')
    return readWholeError(ids, json[0])
  const answers = new Map<number | undefined, RemoteAnswer>()
  for (const { id, answer } of responses) answers.set(id, answers.has(id) ? answeredTwice : answer)
  // Geth answers the first request only if the batch is too large.
  const refusal = responses.map(({ answer }) => refusalIn(ids, answer)).find((answer) => answer !== undefined)
  return ids.map((id) => {
    const answer = answers.get(id)
    if (answer === undefined) return refusal ?? unanswered
    return refusalIn(ids, answer) ?? answer
  })
}

const unanswered = transient((method) => `answered a batch without an answer to ${method}`)

/** What an answer in a batch says about the length of the batch, if anything. */
function refusalIn(ids: readonly number[], answer: RemoteAnswer): RemoteAnswer | undefined {
  if (answer.kind !== 'error') return undefined
  const { error } = answer
  if (isBatchTooLong(error)) return { kind: 'tooLong', limit: Math.ceil(ids.length / 2) }
  return isBatchRefusal(error.message) ? tooLong(ids, error.message) : undefined
}

const answeredTwice: RemoteAnswer = transient((method) => `answered ${method} twice in a batch`)

/** Reads an answer that is not an array: an error about the whole batch. */
function readWholeError(ids: readonly number[], json: unknown): readonly RemoteAnswer[] {
  const answer = readResponse(json)?.answer
  if (answer?.kind !== 'error') return ids.map(() => notJsonRpc)
  const { message } = answer.error
  const isRefused = !answer.isTransient || isBatchRefusal(message)
  return ids.map(() => (isRefused ? tooLong(ids, message) : answer))
}

const notJsonRpc: RemoteAnswer = transient(
  (method) => `answered ${method} with JSON that is no JSON-RPC response`,
)

function readResponse(
  json: unknown,
): { readonly id: number | undefined; readonly answer: RemoteAnswer } | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const id = 'id' in json && typeof json.id === 'number' ? json.id : undefined
  const error = 'error' in json ? readError(json.error) : undefined
  if (error !== undefined) return { id, answer: { kind: 'error', error, isTransient: isRateLimit(error) } }
  return 'result' in json ? { id, answer: { kind: 'result', result: json.result } } : undefined
}

/** Reads an error object; undefined for null, which some servers send beside a result. */
function readError(error: unknown): RemoteErrorObject | undefined {
  if (typeof error === 'string') return { code: NO_CODE, message: error, data: undefined }
  if (typeof error !== 'object' || error === null) return undefined
  const code = 'code' in error && typeof error.code === 'number' ? error.code : NO_CODE
  const message = 'message' in error && typeof error.message === 'string' ? error.message : 'no message'
  return { code, message, data: 'data' in error ? error.data : undefined }
}
