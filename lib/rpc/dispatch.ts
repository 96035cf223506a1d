/** From the text of a request to the text of its answer. Knows no transport. */

import { NodeError } from '../base/errors.ts'
import type { Dialect } from '../config/dialect.ts'
import type { RequestLogEntry, SentTransaction } from '../config/request-log.ts'
import type { Node } from '../node.ts'
import { errorText, idOf, parseBody, readRequest, resultText } from './envelope.ts'
import type { Request, RequestId } from './envelope.ts'
import { toWireError } from './error-codes.ts'
import type { Registry } from './registry.ts'
import { shorten } from './shorten.ts'

/** What a dispatcher needs besides the node. */
export interface DispatchOptions {
  readonly registry: Registry
  readonly batchLimit: number
  /** Most bytes of one answer. */
  readonly answerLimit: number
  /** Milliseconds, for durations in the log. */
  readonly now: () => number
  /** Told about every request that reached a method. */
  readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined
  /** Told about errors that are the program's fault. */
  readonly onFault?: ((error: unknown) => void) | undefined
}

/** Answers requests of one node. */
export class Dispatcher {
  readonly #node: Node
  readonly #options: DispatchOptions

  constructor(node: Node, options: DispatchOptions) {
    this.#node = node
    this.#options = options
  }

  /** Answers a body; nothing when it holds notifications only. */
  async answer(body: string, dialect: Dialect): Promise<string | undefined> {
    let parsed: unknown
    try {
      parsed = parseBody(body)
    } catch (error) {
      return errorText(null, toWireError(error, dialect))
    }
    if (Array.isArray(parsed)) return this.#batch(parsed, dialect)
    const answer = await this.#single(parsed, dialect)
    if (answer === undefined || Buffer.byteLength(answer) <= this.#options.answerLimit) return answer
    return this.#tooLong(idOf(parsed), dialect)
  }

  #tooLong(id: RequestId, dialect: Dialect): string {
    const message = `answer exceeds the limit of ${this.#options.answerLimit} bytes`
    return errorText(id, toWireError(new NodeError('limitExceeded', message), dialect))
  }

  /** Runs a method without an envelope. @throws NodeError */
  async call(method: string, params: unknown, dialect: Dialect): Promise<unknown> {
    return this.#run({ id: null, method, params }, dialect, () => undefined)
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
      const answer = await this.#single(request, dialect)
      if (answer === undefined) continue
      answers.push(answer)
      // With its comma or bracket. The rest is not run: its answers could not be delivered.
      length += Buffer.byteLength(answer) + 1
      if (length > this.#options.answerLimit) return this.#tooLong(null, dialect)
    }
    return answers.length === 0 ? undefined : `[${answers.join(',')}]`
  }

  async #single(value: unknown, dialect: Dialect): Promise<string | undefined> {
    let request: Request
    try {
      request = readRequest(value)
    } catch (error) {
      return errorText(idOf(value), toWireError(error, dialect))
    }
    const answer = await this.#logged(request, dialect)
    return request.id === undefined ? undefined : answer
  }

  async #logged(request: Request, dialect: Dialect): Promise<string> {
    const { now } = this.#options
    const startedAt = now()
    let transaction: SentTransaction | undefined
    const log = (outcome: Pick<RequestLogEntry, 'error' | 'result'>) =>
      this.#tell({
        method: request.method,
        params: request.params ?? [],
        durationMs: now() - startedAt,
        ...(transaction === undefined ? {} : { transaction }),
        ...outcome,
      })
    try {
      const result = await this.#run(request, dialect, (sent) => (transaction = sent))
      log({ result })
      return resultText(request.id ?? null, result)
    } catch (error) {
      if (!(error instanceof NodeError)) this.#options.onFault?.(error)
      const wireError = toWireError(error, dialect)
      log({ error: wireError })
      return errorText(request.id ?? null, wireError)
    }
  }

  /** A listener that fails changes no answer. */
  #tell(entry: RequestLogEntry): void {
    try {
      this.#options.onRequest?.(entry)
    } catch (error) {
      this.#options.onFault?.(error)
    }
  }

  #run(
    { method: name, params }: Request,
    dialect: Dialect,
    noteTransaction: (transaction: SentTransaction) => void,
  ): unknown {
    const { registry } = this.#options
    const method = registry.find(name)
    if (method === undefined) {
      throw new NodeError('methodNotFound', `the method ${shorten(name)} does not exist/is not available`)
    }
    const invoke = method.prepare(params)
    const context = { dialect, modules: registry.modules, noteTransaction }
    return this.#node.world.lock.run(method.access, () => invoke(this.#node, context))
  }
}
