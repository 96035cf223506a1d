/**
 * Asks a remote JSON-RPC server, with requests that change nothing. It batches the requests of one turn of the event loop, sends
 * equal ones once, and repeats failed ones. transport.ts has rate and delays, http-transport.ts the messages.
 */

import type { NodeError } from '../base/errors.ts'
import { keepAlive, nextTurn, type Host } from '../base/host.ts'
import { InvariantError } from '../base/invariant.ts'
import { shownUrl } from '../base/shown-url.ts'
import { httpTransport } from './http-transport.ts'
import { connectionOf, hideSecrets, type RemoteSettings } from './remote-address.ts'
import {
  answeredError,
  faultError,
  remoteFailed,
  isBatchRefusal,
  isBatchTooLong,
  isRateLimit,
  type RemoteErrorObject,
} from './remote-error.ts'
import {
  requestRate,
  retryDelayMs,
  notJson,
  transient,
  type PauseReports,
  type RemoteFault,
  type RemoteReply,
  type StatusReply,
} from './transport.ts'

interface OpenRequest {
  readonly method: string
  readonly params: readonly unknown[]
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  /** How often the request was sent without success. */
  attempts: number
}

/** With more unanswered messages than this, requests wait for an answer and then leave in fewer and larger batches. */
const MAX_OPEN_MESSAGES = 8

export class RemoteClient {
  readonly shownUrl: string
  readonly #settings: RemoteSettings
  readonly #host: Host
  readonly #transport: ReturnType<typeof httpTransport>
  readonly #rate: ReturnType<typeof requestRate>
  readonly #pauseReports: PauseReports | undefined
  readonly #hideSecrets: (text: string) => string
  /** The unanswered requests, by method and params. */
  readonly #open = new Map<string, OpenRequest>()
  readonly #results = new Map<string, Promise<unknown>>()
  /** Stops keeping the process alive. Timers of retries do not keep it alive themselves. */
  #endWait: (() => void) | undefined
  #queue: OpenRequest[] = []
  #lastId = 0
  #batchLimit: number
  #openMessages = 0
  #isSendDue = false
  /** Number of running pauses, because the remote asked for one or the rate is reached. */
  #pauses = 0
  #isClosed = false
  readonly #timers = new Set<() => void>()

  /** The host's clock must run. `pauseReports` receives the pauses that the remote asks for. */
  constructor(settings: RemoteSettings, host: Host, pauseReports?: PauseReports) {
    this.shownUrl = shownUrl(settings.url)
    this.#settings = settings
    this.#host = host
    this.#pauseReports = pauseReports
    this.#rate = requestRate(settings.rate)
    this.#batchLimit = settings.batch
    this.#hideSecrets = hideSecrets(settings)
    this.#transport = httpTransport({ ...connectionOf(settings), timeoutMs: settings.timeoutMs, host })
  }

  /** Whether a request would wait for the rate limit. */
  get isFull(): boolean {
    return this.#pauses > 0 || this.#queue.length >= this.#rate.free(this.#host.elapsed())
  }

  /**
   * The result of a request, as JSON. Equal requests at the same time get the same object. @throws RemoteError for a JSON-RPC
   * error, NodeError 'remoteFailed' without a valid answer
   */
  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    if (this.#isClosed) throw this.#closedError(method)
    const key = JSON.stringify([method, params])
    return this.#results.get(key) ?? this.#begin(key, method, params)
  }

  /** Closes connections and timers. Every unanswered request fails. */
  close(): void {
    this.#isClosed = true
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#queue = []
    this.#transport.close()
    for (const { reject, method } of this.#open.values()) reject(this.#closedError(method))
  }

  #begin(key: string, method: string, params: readonly unknown[]): Promise<unknown> {
    this.#endWait ??= keepAlive()
    const result = new Promise<unknown>((resolve, reject) => {
      const request = { method, params, attempts: 0, resolve, reject }
      this.#open.set(key, request)
      this.#queue.push(request)
    }).finally(() => {
      this.#open.delete(key)
      this.#results.delete(key)
      if (this.#open.size > 0) return
      this.#endWait?.()
      this.#endWait = undefined
    })
    this.#results.set(key, result)
    this.#sendNextTurn()
    return result
  }

  #closedError(method: string): NodeError {
    return remoteFailed(
      `the connection to the remote ${this.shownUrl} was closed before ${method} was answered`,
    )
  }

  #sendNextTurn(): void {
    if (this.#isSendDue) return
    this.#isSendDue = true
    void nextTurn().then(() => {
      this.#isSendDue = false
      this.#sendQueue()
    })
  }

  #sendQueue(): void {
    while (this.#queue.length > 0 && this.#pauses === 0 && !this.#isWaiting) {
      const nowMs = this.#host.elapsed()
      const free = this.#rate.free(nowMs)
      if (free === 0) return this.#pause(this.#rate.waitMs(nowMs))
      const requests = this.#queue.splice(0, Math.min(free, this.#batchLimit))
      this.#rate.count(requests.length, nowMs)
      void this.#send(requests)
    }
  }

  /** Whether the queue waits for an answer, to fill a batch meanwhile. */
  get #isWaiting(): boolean {
    const isBatching = this.#batchLimit > 1
    return isBatching && this.#openMessages >= MAX_OPEN_MESSAGES && this.#queue.length < this.#batchLimit
  }

  async #send(requests: readonly OpenRequest[]): Promise<void> {
    const wire = requests.map(({ method, params }) => {
      return { jsonrpc: '2.0', id: ++this.#lastId, method, params } as const
    })
    this.#openMessages++
    try {
      const reply = await this.#transport.send(wire)
      if (this.#isClosed) return
      const answers = readAnswers(
        wire.map(({ id }) => id),
        reply,
      )
      this.#settle(requests, answers)
    } catch (error) {
      const reason = error instanceof Error ? error : new InvariantError(String(error))
      for (const request of requests) request.reject(reason)
    } finally {
      this.#openMessages--
      this.#sendNextTurn()
    }
  }

  /** Sends smaller batches from now on if the answers require it. Tells the user of the first rate limit. */
  #limitBatches([request]: readonly OpenRequest[], answers: readonly RemoteAnswer[]): void {
    const limit = batchLimitAfter(answers)
    if (limit >= this.#batchLimit) return
    const [answer] = answers
    const isFirst = this.#batchLimit === this.#settings.batch
    // The user hears of the pause anyway.
    if (isFirst && request && answer?.kind === 'fault' && answer.retryAfterMs === undefined) {
      const { message } = this.#errorOf(request, answer)
      this.#pauseReports?.report(`${message}; it gets batches of at most ${limit} from now on`)
    }
    this.#batchLimit = limit
  }

  #settle(requests: readonly OpenRequest[], answers: readonly RemoteAnswer[]): void {
    this.#limitBatches(requests, answers)
    const tooLong: OpenRequest[] = []
    const failed: OpenRequest[] = []
    let reason: string | undefined
    let retryAfterMs: number | undefined
    for (const [index, request] of requests.entries()) {
      const answer = answers[index]
      if (answer === undefined) continue
      if (answer.kind === 'tooLong') tooLong.push(request)
      else if (answer.kind === 'result') request.resolve(answer.result)
      else if (++request.attempts > this.#settings.retries || !answer.isTransient)
        request.reject(this.#errorOf(request, answer))
      else {
        failed.push(request)
        reason ??= this.#errorOf(request, answer).message
        if (answer.kind === 'fault') retryAfterMs ??= answer.retryAfterMs
      }
    }
    this.#queue.unshift(...tooLong)
    if (reason !== undefined) this.#retry(failed, reason, retryAfterMs)
  }

  #errorOf({ method, params, attempts }: OpenRequest, answer: FailedAnswer): Error {
    const described = { url: this.shownUrl, method, params, attempts }
    if (answer.kind === 'fault') {
      const describe = (name: string): string => this.#hideSecrets(answer.describe(name))
      return faultError(described, { ...answer, describe })
    }
    const { error, isTransient } = answer
    return answeredError(described, { ...error, message: this.#hideSecrets(error.message) }, isTransient)
  }

  /** Sends the requests again later. If the remote named a time, nothing is sent until then. */
  #retry(requests: readonly OpenRequest[], reason: string, retryAfterMs: number | undefined): void {
    if (retryAfterMs !== undefined) {
      this.#pauseReports?.add(`${reason}; it asks to wait, and is asked again`, retryAfterMs)
      this.#queue.unshift(...requests)
      return this.#pause(retryAfterMs)
    }
    const attempts = Math.max(...requests.map((request) => request.attempts))
    const delayMs = retryDelayMs(attempts, this.#host.random)
    if (attempts > 2) this.#pauseReports?.add(`${reason}; it is asked again`, delayMs, 0)
    this.#later(delayMs, () => {
      this.#queue.unshift(...requests)
      this.#sendQueue()
    })
  }

  #pause(ms: number): void {
    this.#pauses++
    this.#later(ms, () => {
      this.#pauses--
      this.#sendQueue()
    })
  }

  #later(ms: number, task: () => void): void {
    const cancel = this.#host.schedule(ms, () => {
      this.#timers.delete(cancel)
      task()
    })
    this.#timers.add(cancel)
  }
}

type RemoteAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The batch was too long for the remote. It may accept `limit` requests. */
  | { readonly kind: 'tooLong'; readonly limit: number }
  | FailedAnswer

/** A JSON-RPC error, or an invalid or missing answer. */
type FailedAnswer =
  | { readonly kind: 'error'; readonly error: RemoteErrorObject; readonly isTransient: boolean }
  | RemoteFault

/** Reads a reply to the requests with these ids, in their order. */
function readAnswers(ids: readonly number[], reply: RemoteReply): readonly RemoteAnswer[] {
  if (reply.kind === 'fault') return ids.map(() => reply)
  const isBatch = ids.length > 1
  if (reply.kind === 'json')
    return isBatch ? readBatch(ids, reply.json) : ids.map((id) => readSingle(id, reply.json))
  const { status, json, fault } = reply
  if (fault.isRateLimit === true) return ids.map(() => fault)
  if (isBatch) return readBatchWithStatus(ids, reply)
  // Some nodes send JSON-RPC errors with another HTTP status.
  return ids.map((id) => {
    const answer = readSingle(id, json)
    return answer.kind === 'error' && saysMore(answer.error, status) ? answer : fault
  })
}

/** Whether an error says more than the status: it has a code, and is not just the internal error of a failing server. */
const saysMore = ({ code }: RemoteErrorObject, status: number): boolean =>
  code !== NO_CODE && !(code === INTERNAL_ERROR && status >= 500)

/** Code of an error object without a code. JSON-RPC does not use it. */
const NO_CODE = 0

const INTERNAL_ERROR = -32603

/** Maximum requests of the next batches: half as many may avoid a rate limit, or a text instead of JSON. */
function batchLimitAfter(answers: readonly RemoteAnswer[]): number {
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

/** Common batch limits of providers. The reference node of network 33 allows 50. */
const COMMON_LIMITS = [50, 10, 3]

/** The answer of a remote that refuses a batch. Its text may contain the limit. */
function tooLong({ length }: readonly number[], text: string): RemoteAnswer {
  const numbers = (text.match(/\b\d+\b/g) ?? []).map(Number).filter((number) => number > 0)
  const named = numbers.filter((number) => number < length)
  const common = COMMON_LIMITS.find((limit) => limit < length) ?? 1
  return { kind: 'tooLong', limit: named.length === 0 ? common : Math.max(...named) }
}

/** Reads the answer to a request that was sent alone. An error without an id belongs to it too. */
function readSingle(id: number, json: unknown): RemoteAnswer {
  const response = readResponse(json)
  if (response === undefined) return notJsonRpc
  const isOwn = response.id === id || (response.id === undefined && response.answer.kind === 'error')
  return isOwn ? response.answer : transient((method) => `answered ${method} under another id`)
}

function readBatch(ids: readonly number[], json: unknown): readonly RemoteAnswer[] {
  if (!Array.isArray(json)) return readWholeError(ids, json)
  const responses = json.flatMap((item: unknown) => readResponse(item) ?? [])
  // Some servers answer a refused batch with an array of one error.
  const [only] = responses
  if (responses.length === 1 && only?.id === undefined && only?.answer.kind === 'error')
    return readWholeError(ids, json[0])
  const answers = new Map<number | undefined, RemoteAnswer>()
  for (const { id, answer } of responses) answers.set(id, answers.has(id) ? answeredTwice : answer)
  // If a batch is too large, geth answers only its first request.
  const refusal = responses.map(({ answer }) => refusalIn(ids, answer)).find((answer) => answer !== undefined)
  return ids.map((id) => {
    const answer = answers.get(id)
    if (answer === undefined) return refusal ?? unanswered
    return refusalIn(ids, answer) ?? answer
  })
}

const unanswered = transient((method) => `answered a batch without an answer to ${method}`)

/** What an answer in a batch says about the allowed length, if anything. */
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

/** Reads an error object; undefined for null, which some servers send next to a result. */
function readError(error: unknown): RemoteErrorObject | undefined {
  if (typeof error === 'string') return { code: NO_CODE, message: error, data: undefined }
  if (typeof error !== 'object' || error === null) return undefined
  const code = 'code' in error && typeof error.code === 'number' ? error.code : NO_CODE
  const message = 'message' in error && typeof error.message === 'string' ? error.message : 'no message'
  return { code, message, data: 'data' in error ? error.data : undefined }
}
