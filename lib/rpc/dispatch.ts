/** From the text of a request to the text of its answer. Knows no transport. */

import { NodeError } from '../base/errors.ts'
import { TextStream, begun, limited } from '../base/text-stream.ts'
import type { Dialect } from '../config/dialect.ts'
import type { NodeHooks, RequestLogEntry } from '../config/request-log.ts'
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
import type { WireError } from './error-codes.ts'
import { reported } from './fault.ts'
import { RawJson } from './raw-json.ts'
import type { Registry } from './registry.ts'
import { ExecutionLog } from './execution-log.ts'
import { shorten } from './shorten.ts'

/** What a dispatcher needs besides the node. */
export interface DispatchOptions {
  readonly registry: Registry
  readonly batchLimit: number
  /** Most bytes of one answer. */
  readonly answerLimit: number
  /** Milliseconds, for durations in the log. */
  readonly now: () => number
  /** Who is on the other end, where the transport can push. */
  readonly subscriber?: Subscriber | undefined
  /** Id of the isolated chain, for the log. */
  readonly world?: string | undefined
  /** Told about every request that reached a method. */
  readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined
  /** Called with errors that are the program's fault. */
  readonly onFault?: NodeHooks['onFault']
}

/** An answer that is too long to be whole in memory: its text in pieces, to be read once or given back. */
export type LongAnswer = AsyncGenerator<string, void, undefined>

/** Answers requests of one node. */
export class Dispatcher {
  readonly #node: Node
  readonly #options: DispatchOptions

  constructor(node: Node, options: DispatchOptions) {
    this.#node = node
    this.#options = options
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
    const answer = await this.#logged(request, dialect)
    if (request.id !== undefined) return answer
    if (typeof answer !== 'string') await answer.return()
    return undefined
  }

  async #logged(request: Request, dialect: Dialect): Promise<string | LongAnswer> {
    const { now, world } = this.#options
    const id = request.id ?? null
    const startedAt = now()
    const notes = new ExecutionLog(this.#node)
    const isConfidential = this.#options.registry.find(request.method)?.isConfidential === true
    const log: Log = (outcome) =>
      this.#tell(() => ({
        method: request.method,
        ...(world === undefined ? {} : { world }),
        params: isConfidential ? NOT_SHOWN : (request.params ?? []),
        durationMs: now() - startedAt,
        ...notes.report(),
        ...(isConfidential ? withoutSecrets(outcome) : outcome),
      }))
    const fail = (error: unknown): NodeError => {
      const told = reported(error, this.#options.onFault)
      log({ error: this.#worded(told, dialect), ...notes.reasonOf(error, dialect) })
      return told
    }
    try {
      const result = await this.#run(request, dialect, notes)
      await notes.learn()
      if (result instanceof TextStream) return await this.#begin(result, id, { log, fail })
      log({ result, ...notes.failures() })
      return resultText(id, result)
    } catch (error) {
      await notes.learn(error)
      return errorText(id, this.#worded(fail(error), dialect))
    }
  }

  #worded(error: NodeError, dialect: Dialect): WireError {
    return toWireError(error, dialect, this.#node.customErrors.textOf)
  }

  /** Reads the beginning of a stream: what fails there is an ordinary error, and what ends there an ordinary answer. */
  async #begin(stream: TextStream, id: RequestId, told: Told): Promise<string | LongAnswer> {
    const { beginning, rest } = await begun(limited(stream, this.#options.answerLimit))
    if (rest !== undefined) return goOn({ start: resultStart(id) + beginning, rest, told })
    told.log({ result: new RawJson(beginning) })
    return enclosed(id, beginning)
  }

  /** A listener that fails changes no answer. */
  #tell(entry: () => RequestLogEntry): void {
    const { onRequest } = this.#options
    if (onRequest === undefined || !this.#node.logging.value) return
    try {
      onRequest(entry())
    } catch (error) {
      this.#options.onFault?.(error)
    }
  }

  #run({ method: name, params }: Request, dialect: Dialect, notes: ExecutionLog): unknown {
    const { registry, subscriber } = this.#options
    const method = registry.find(name)
    if (method === undefined) {
      throw new NodeError('methodNotFound', `the method ${shorten(name)} does not exist/is not available`)
    }
    const invoke = method.prepare(params)
    const { noteTransaction, noteRun } = notes
    const context = { dialect, modules: registry.modules, noteTransaction, noteRun, subscriber }
    const task = () => invoke(this.#node, context)
    return this.#node.instance.lock.run(
      method.access,
      method.access === 'write' ? () => notes.during(task) : task,
    )
  }
}

type Outcome = Pick<RequestLogEntry, 'error' | 'failed' | 'result' | 'reason'>
type Log = (outcome: Outcome) => void

/** What the log says of secrets. */
const NOT_SHOWN = '(not shown)'

/** The message of an error may repeat a param. */
function withoutSecrets({ error }: Outcome): Outcome {
  return error === undefined ? { result: NOT_SHOWN } : { error: { code: error.code, message: NOT_SHOWN } }
}

/** Who hears of the end of a request. */
interface Told {
  readonly log: Log
  /** The error as it is sent to the client. */
  readonly fail: (error: unknown) => NodeError
}

/** The answer around a stream. What fails now cannot be said in the answer any more: it breaks off, and is no JSON. */
async function* goOn({ start, rest, told }: { start: string; rest: LongAnswer; told: Told }): LongAnswer {
  try {
    yield start
    yield* rest
    yield RESULT_END
    told.log({})
  } catch (error) {
    throw told.fail(error)
  } finally {
    await rest.return()
  }
}
