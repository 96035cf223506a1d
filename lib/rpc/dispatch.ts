/** Answers JSON-RPC requests, as texts or as values. The transports are in lib/server and lib/embed. */

import { NodeError } from '../base/errors.ts'
import { NotLoadedError, finish } from '../base/routine.ts'
import { TextStream, readBeginning, limitBytes, tooLong } from '../base/text-stream.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Subscriber } from '../chain/filters/subscriptions.ts'
import { PendingBlockError } from '../chain/miner/block-resolver.ts'
import type { Node } from '../node/node.ts'
import type { WireError } from '../schema/report-results.ts'
import {
  OWN_FORM,
  errorText,
  idOf,
  isLonger,
  ownParams,
  ownResult,
  readRequest,
  resultText,
} from './envelope.ts'
import type { JsonRpcRequest, RequestId, WireForm } from '../kernel/wire-form.ts'
import { toWireError } from './error-codes.ts'
import type { Method } from '../kernel/method.ts'
import type { RequestContext } from '../kernel/request-context.ts'
import { RawJson } from '../kernel/raw-json.ts'
import type { Registry } from './registry.ts'
import type { ExecutionLog } from './execution-log.ts'
import type { ExplainedPart } from './failed-executions.ts'
import { OpenEntry, type RequestLoggerOptions } from './request-logger.ts'
import { streamResponse, wholeText, type StreamedResponse } from './streamed-response.ts'

export interface DispatchOptions extends RequestLoggerOptions {
  readonly registry: Registry
  readonly batchLimit: number
  /** Maximum number of bytes of one response (--answer-limit). */
  readonly answerLimit: number
  /** The subscriptions of the connection; absent if the transport cannot push (HTTP). */
  readonly subscriber?: Subscriber | undefined
  /** Whether the clients are in other processes. */
  readonly isRemote?: boolean | undefined
}

/** The response to a request as values. */
export type Answer =
  | { readonly result: unknown }
  /** `explained` completes the message or the stack if `error` lacks them. */
  | { readonly error: WireError; readonly explained?: ((part: ExplainedPart) => WireError) | undefined }

/** Makes a response, as text or as values, from the outcome of a method. */
interface Responder<Response> {
  readonly succeed: (result: unknown, entry: OpenEntry) => Response | Promise<Response>
  readonly fail: (error: WireError, explained?: (part: ExplainedPart) => WireError) => Response
}

/** Whether a fork's data must be loaded or cannot be loaded. */
const isLoadError = (error: unknown): boolean =>
  error instanceof NotLoadedError || (error instanceof NodeError && error.kind === 'remoteFailed')

export class Dispatcher {
  readonly #node: Node
  readonly #options: DispatchOptions
  readonly #form: WireForm

  constructor(node: Node, options: DispatchOptions) {
    this.#node = node
    this.#form = options.form ?? OWN_FORM
    this.#options = options
  }

  /** The response to a body; undefined if it contains only notifications. A long response to a single request comes in pieces. */
  async answerStreamed(body: string, dialect: Dialect): Promise<string | StreamedResponse | undefined> {
    let parsed: unknown
    try {
      parsed = this.#form.parseBody(body)
    } catch (error) {
      return this.#errorText(null, error, dialect)
    }
    if (Array.isArray(parsed)) return this.#batch(parsed, dialect)
    const answer = await this.#single(parsed, dialect)
    const { answerLimit } = this.#options
    if (typeof answer !== 'string' || !isLonger(answer, answerLimit)) return answer
    return errorText(idOf(parsed), toWireError(tooLong(answerLimit), dialect))
  }

  /** The response to a request from the same process. Values are copied, so that neither side can change the other's. */
  async request({ method, params }: Omit<JsonRpcRequest, 'id'>, dialect: Dialect): Promise<Answer> {
    let request: JsonRpcRequest
    try {
      request = readRequest({ jsonrpc: '2.0', id: 1, method, params: ownParams(method, params) })
    } catch (error) {
      return { error: toWireError(error, dialect) }
    }
    const { answerLimit } = this.#options
    const succeed = (result: unknown, entry: OpenEntry): Answer => {
      const copy = ownResult(result, answerLimit)
      entry.succeed(result)
      return { result: copy }
    }
    return this.#respond<Answer>(request, dialect, {
      succeed: (result, entry) =>
        result instanceof TextStream
          ? result.collect(answerLimit).then((text) => succeed(new RawJson(text), entry))
          : succeed(result, entry),
      fail: (error, explained) => ({ error: structuredClone(error), explained }),
    })
  }

  async #batch(requests: readonly unknown[], dialect: Dialect): Promise<string | undefined> {
    const { batchLimit, answerLimit } = this.#options
    const fault = this.#form.batchFault(requests.length, batchLimit)
    if (fault !== undefined) return this.#errorText(undefined, fault, dialect)
    const responses: string[] = []
    let length = 1
    // The requests run in sequence, so that later ones see the effects of earlier ones.
    for (const request of requests) {
      const single = await wholeText(await this.#single(request, dialect))
      const answer = single ?? (this.#form.answersAll ? 'null' : undefined)
      if (answer === undefined) continue
      responses.push(answer)
      // Counts the comma or bracket after it too. Later requests of the batch are not run, because their responses could not
      // be delivered.
      length += Buffer.byteLength(answer) + 1
      if (length > answerLimit) return errorText(null, toWireError(tooLong(answerLimit), dialect))
    }
    return responses.length === 0 && !this.#form.answersAll ? undefined : `[${responses.join(',')}]`
  }

  async #single(value: unknown, dialect: Dialect): Promise<string | StreamedResponse | undefined> {
    const { answersAll } = this.#form
    if (answersAll && Array.isArray(value)) return this.#batch(value, dialect)
    let request: JsonRpcRequest
    try {
      request = this.#form.readRequest(value)
    } catch (error) {
      return this.#errorText(idOf(value), error, dialect)
    }
    const id = request.id ?? null
    const failed = new Set<string>()
    const answer = await this.#respond<string | StreamedResponse>(request, dialect, {
      succeed: (result, entry) => {
        if (result instanceof TextStream) return this.#beginStream(result, id, entry)
        entry.succeed(result)
        return resultText(id, result)
      },
      fail: (error) => {
        const text = this.#form.errorText(request.id, error)
        failed.add(text)
        return text
      },
    })
    if (request.id !== undefined) return answer
    if (typeof answer !== 'string') await answer.return(undefined)
    else if (answersAll && failed.has(answer)) return answer
    return undefined
  }

  /** The text of an error that did not come from a method. */
  #errorText(id: RequestId | undefined, error: unknown, dialect: Dialect): string {
    const wire = toWireError(error, dialect)
    return this.#form.errorText(id, error instanceof NodeError ? this.#form.shownError(error, wire) : wire)
  }

  async #respond<Response>(
    request: JsonRpcRequest,
    dialect: Dialect,
    { succeed, fail }: Responder<Response>,
  ): Promise<Response> {
    const method = this.#options.registry.find(request.method)
    // If the name of a method with keys is misspelt, its params are still secret.
    const isConfidential = method?.isConfidential ?? request.method.startsWith('personal_')
    const entry = new OpenEntry(this.#node, this.#options, { request, dialect, isConfidential })
    const { execution } = entry
    try {
      const running = this.run(method, request, dialect, execution)
      // Most methods return a result synchronously, and awaiting it would cost a turn of the microtask queue.
      const result: unknown = running instanceof Promise ? await running : running
      const settled = entry.settle()
      if (settled !== undefined) await settled
      const response = succeed(result, entry)
      return response instanceof Promise ? await response : response
    } catch (error) {
      await entry.settle(error)
      const explained = entry.canExplainLater(error)
        ? (part: ExplainedPart) => entry.explainedError(error, part)
        : undefined
      const shown = entry.wireError(entry.fail(error))
      const code = error instanceof NodeError ? method?.errorCodes?.[error.kind] : undefined
      return fail(code === undefined ? shown : { ...shown, code }, explained)
    }
  }

  /** Reads the first piece of a stream. If the stream fails or ends there, the response is one text. */
  async #beginStream(
    stream: TextStream,
    id: RequestId,
    entry: OpenEntry,
  ): Promise<string | StreamedResponse> {
    const { beginning, rest } = await readBeginning(limitBytes(stream, this.#options.answerLimit))
    if (rest !== undefined) return streamResponse(id, { beginning, rest }, entry)
    const whole = new RawJson(beginning)
    entry.succeed(whole)
    return resultText(id, whole)
  }

  /** Runs a method without an envelope. @throws NodeError */
  run(
    method: Method<Node> | undefined,
    { method: name, params }: JsonRpcRequest,
    dialect: Dialect,
    execution: ExecutionLog,
  ): unknown {
    const { registry, subscriber, isRemote, history: requestHistory } = this.#options
    if (method === undefined)
      throw this.#form.unknownMethod({ id: undefined, method: name, params }, registry)
    const invoke = method.prepare(params)
    const { logTransaction, logSimulation, explainedFailures } = execution
    const context: RequestContext = {
      dialect,
      modules: registry.modules,
      logTransaction,
      logSimulation,
      explainedFailures,
      requestHistory,
      subscriber,
      isRemote,
    }
    let node = this.#node
    const result = () => invoke(node, context)
    const { access } = method
    if (access === 'all') return finish(result)
    const afterPostponedBlocks = () => {
      this.#node.miner.makePostponedBlocks()
      return access === 'write' ? this.#write(result, execution) : result()
    }
    // Any chain may have to load data, even if it is not a fork yet: a reset in progress may make it one.
    return finish((after) => {
      // The request has waited for this pending block. If the chain has changed since, a new one would make it wait again.
      if (after instanceof PendingBlockError && after.resolver !== undefined)
        node = { ...node, blockResolver: after.resolver }
      return node.instance.lock.run(access, afterPostponedBlocks)
    })
  }

  /** Runs a write, which holds the lock. If a fork cannot load its data, the write's changes are undone. */
  #write(invoke: () => unknown, execution: ExecutionLog): unknown {
    const { chain, instance } = this.#node
    const run = () => instance.lock.finish(invoke())
    return execution.during(chain.remote === undefined ? run : () => instance.atomically(run, isLoadError))
  }
}
