/** From the text of a request to the text of its answer. Knows no transport. */

import { NodeError } from '../base/errors.ts'
import { TextStream, begun, limited } from '../base/text-stream.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Subscriber } from '../filters/subscriptions.ts'
import type { Node } from '../node.ts'
import {
  RESULT_END,
  enclosed,
  errorText,
  idOf,
  parseBody,
  readRequest,
  resultStart,
  resultText,
} from './envelope.ts'
import type { Request, RequestId } from './envelope.ts'
import { toWireError } from './error-codes.ts'
import { RawJson } from './raw-json.ts'
import type { Registry } from './registry.ts'
import { ExecutionLog } from './execution-log.ts'
import { RequestLogger } from './request-logger.ts'
import type { OpenEntry, RequestLoggerOptions } from './request-logger.ts'
import { shorten } from './shorten.ts'

/** What a dispatcher needs besides the node. */
export interface DispatchOptions extends RequestLoggerOptions {
  readonly registry: Registry
  readonly batchLimit: number
  /** Most bytes of one answer. */
  readonly answerLimit: number
  /** The subscriptions of the connection, where the transport can push. */
  readonly subscriber?: Subscriber | undefined
}

/** An answer that is too long to be whole in memory: its text in pieces, to be read once or given back. */
export type LongAnswer = AsyncGenerator<string, void, undefined>

/** Answers requests of one node. */
export class Dispatcher {
  readonly #node: Node
  readonly #options: DispatchOptions
  readonly #logger: RequestLogger

  constructor(node: Node, options: DispatchOptions) {
    this.#node = node
    this.#options = options
    this.#logger = new RequestLogger(node, options)
  }

  /** Answers a body with a text; nothing when it holds notifications only. */
  async answer(body: string, dialect: Dialect): Promise<string | undefined> {
    return this.#whole(await this.respond(body, dialect), () => idOf(parseBody(body)), dialect)
  }

  /** Answers a body; a long answer to a single request while it is being made, which may still fail. */
  async respond(body: string, dialect: Dialect): Promise<string | LongAnswer | undefined> {
    let parsed: unknown
    try {
      parsed = parseBody(body)
    } catch (error) {
      return errorText(null, toWireError(error, dialect))
    }
    if (Array.isArray(parsed)) return this.#batch(parsed, dialect)
    const answer = await this.#single(parsed, dialect)
    if (typeof answer !== 'string' || Buffer.byteLength(answer) <= this.#options.answerLimit) return answer
    return this.#tooLong(idOf(parsed), dialect)
  }

  /** A long answer as one text; that of an error when it fails on the way. */
  async #whole(
    answer: string | LongAnswer | undefined,
    id: () => RequestId,
    dialect: Dialect,
  ): Promise<string | undefined> {
    if (answer === undefined || typeof answer === 'string') return answer
    try {
      let text = ''
      for await (const piece of answer) text += piece
      return text
    } catch (error) {
      return errorText(id(), toWireError(error, dialect))
    }
  }

  #tooLong(id: RequestId, dialect: Dialect): string {
    const message = `answer exceeds the limit of ${this.#options.answerLimit} bytes`
    return errorText(id, toWireError(new NodeError('limitExceeded', message), dialect))
  }

  /** Runs a method without an envelope. @throws NodeError */
  async call(method: string, params: unknown, dialect: Dialect): Promise<unknown> {
    const result = await this.#run({ id: null, method, params }, dialect, new ExecutionLog(this.#node))
    return result instanceof TextStream ? new RawJson(await result.collect()) : result
  }

  async #batch(requests: readonly unknown[], dialect: Dialect): Promise<string | undefined> {
    const { batchLimit } = this.#options
    if (requests.length === 0 || requests.length > batchLimit) {
      const reason =
        requests.length === 0
          ? 'empty batch'
          : `batch of ${requests.length} exceeds the limit of ${batchLimit}`
      return errorText(
        null,
        toWireError(new NodeError('invalidRequest', `invalid request: ${reason}`), dialect),
      )
    }
    const answers: string[] = []
    let length = 1
    // One after another: the effects of a batch have the order it was written in.
    for (const request of requests) {
      const answer = await this.#whole(await this.#single(request, dialect), () => idOf(request), dialect)
      if (answer === undefined) continue
      answers.push(answer)
      // With its comma or bracket. The rest is not run: its answers could not be delivered.
      length += Buffer.byteLength(answer) + 1
      if (length > this.#options.answerLimit) return this.#tooLong(null, dialect)
    }
    return answers.length === 0 ? undefined : `[${answers.join(',')}]`
  }

  async #single(value: unknown, dialect: Dialect): Promise<string | LongAnswer | undefined> {
    let request: Request
    try {
      request = readRequest(value)
    } catch (error) {
      return errorText(idOf(value), toWireError(error, dialect))
    }
    const answer = await this.#answer(request, dialect)
    if (request.id !== undefined) return answer
    if (typeof answer !== 'string') await answer.return()
    return undefined
  }

  async #answer(request: Request, dialect: Dialect): Promise<string | LongAnswer> {
    const id = request.id ?? null
    const isConfidential = this.#options.registry.find(request.method)?.isConfidential === true
    const entry = this.#logger.begin(request, dialect, isConfidential)
    const { execution } = entry
    try {
      const result = await this.#run(request, dialect, execution)
      await execution.learn()
      if (result instanceof TextStream) return await this.#begin(result, id, entry)
      entry.succeed(result)
      return resultText(id, result)
    } catch (error) {
      await execution.learn(error)
      return errorText(id, this.#logger.wireError(entry.fail(error), dialect))
    }
  }

  /** Reads the beginning of a stream: a failure there is an ordinary error, and a stream that ends there an ordinary answer. */
  async #begin(stream: TextStream, id: RequestId, entry: OpenEntry): Promise<string | LongAnswer> {
    const { beginning, rest } = await begun(limited(stream, this.#options.answerLimit))
    if (rest !== undefined) return remainder({ start: resultStart(id) + beginning, rest, entry })
    entry.succeed(new RawJson(beginning))
    return enclosed(id, beginning)
  }

  #run({ method: name, params }: Request, dialect: Dialect, execution: ExecutionLog): unknown {
    const { registry, subscriber } = this.#options
    const method = registry.find(name)
    if (method === undefined) {
      throw new NodeError('methodNotFound', `the method ${shorten(name)} does not exist/is not available`)
    }
    const invoke = method.prepare(params)
    const { noteTransaction, noteRun } = execution
    const context = { dialect, modules: registry.modules, noteTransaction, noteRun, subscriber }
    const task = () => {
      this.#node.miner.makeReserved()
      return invoke(this.#node, context)
    }
    return this.#node.instance.lock.run(
      method.access,
      method.access === 'write' ? () => execution.during(task) : task,
    )
  }
}

/** The answer around a stream. An error now can no longer be part of the answer: the answer breaks off, and is no JSON. */
async function* remainder({
  start,
  rest,
  entry,
}: {
  readonly start: string
  readonly rest: LongAnswer
  readonly entry: OpenEntry
}): LongAnswer {
  try {
    yield start
    yield* rest
    yield RESULT_END
    entry.succeed()
  } catch (error) {
    throw entry.fail(error)
  } finally {
    await rest.return()
  }
}
