/** Writes one log entry per request, with its outcome and its executions' console output and failures. */

import { NodeError } from '../base/errors.ts'
import { toHex } from '../base/hex.ts'
import { realHost } from '../base/host.ts'
import { withShownUrls } from '../base/shown-url.ts'
import type { Dialect } from '../config/dialect.ts'
import type { NodeHooks, RequestLogEntry } from '../config/request-log.ts'
import type { Node } from '../node/node.ts'
import type { WireError } from '../schema/report-results.ts'
import type { JsonRpcRequest, WireForm } from '../kernel/wire-form.ts'
import { toWireError } from './error-codes.ts'
import { ExecutionLog } from './execution-log.ts'
import type { ExplainedPart } from './failed-executions.ts'
import { isOfPage, type RequestHistory } from './request-history.ts'

export interface RequestLoggerOptions extends Pick<NodeHooks, 'onRequest' | 'readsConsoleOnly' | 'onFault'> {
  /** Milliseconds, for durations in the log. */
  readonly now: () => number
  /** Id of the world, for the log. */
  readonly world?: string | undefined
  /** Whether the node has a port. */
  readonly isServed?: boolean
  /** How errors are written; this node's own form if absent. */
  readonly form?: WireForm | undefined
  /** Receives the entries to keep. */
  readonly history: RequestHistory
  /** Whether the client reads explanations of reverts later, if at all. */
  readonly explainsLater?: boolean | undefined
}

type RequestOutcome = Pick<RequestLogEntry, 'error' | 'failed' | 'result' | 'reason'>

/** Replaces params and results of methods that take passphrases or keys. */
const NOT_SHOWN = '(not shown)'

/** The request that a log entry is about. */
export interface LoggedRequest {
  readonly request: JsonRpcRequest
  readonly dialect: Dialect
  /** Params and result are not shown. */
  readonly isConfidential: boolean
}

/** The log entry of a request whose outcome is not known yet. */
export class OpenEntry {
  readonly execution: ExecutionLog
  readonly #node: Node
  readonly #options: RequestLoggerOptions
  readonly #logged: LoggedRequest
  readonly #startedAt: number

  constructor(node: Node, options: RequestLoggerOptions, logged: LoggedRequest) {
    this.execution = new ExecutionLog(node, options.onFault)
    this.#node = node
    this.#options = options
    this.#logged = logged
    this.#startedAt = options.now()
  }

  /** Waits for an attached debugger, and for explanations in the response or log. Undefined if there is nothing to wait for. */
  settle(error?: unknown): Promise<void> | undefined {
    const held = this.#hold()
    return held === undefined ? this.#explain(error) : held.then(() => this.#explain(error))
  }

  /** Waits while a module, such as the debugger, holds the response. Never rejects. */
  #hold(): Promise<void> | undefined {
    const { responseHolder } = this.#node
    const { id, method } = this.#logged.request
    if (responseHolder?.isActive !== true || isOfPage(id)) return undefined
    const executions = this.execution.takeHeld()
    if (executions.length === 0) return undefined
    const { world, onFault } = this.#options
    return responseHolder.hold({ method, world, executions }).catch((error: unknown) => onFault?.(error))
  }

  /** Explains executions as far as the response or log shows them. Undefined if there is nothing to wait for. */
  #explain(error?: unknown): Promise<void> | undefined {
    const { execution } = this
    const isRead = this.#isRead
    if (this.canExplainLater(error))
      return this.#node.failureExplainer.load().catch((fault: unknown) => this.#options.onFault?.(fault))
    const failures = error !== undefined || isRead ? execution.explainFailures() : undefined
    if (!execution.hasSent || !isRead) return failures
    return (failures ?? Promise.resolve()).then(() => execution.describeSent())
  }

  /** Whether anyone reads more of the log entry than console output. */
  get #isRead(): boolean {
    return this.#isLogged && this.#options.readsConsoleOnly?.() !== true
  }

  /** Whether an error can be explained when the client reads it. */
  canExplainLater(error: unknown): error is NodeError {
    const { chain, failureExplainer } = this.#node
    const { explainsLater, history } = this.#options
    if (explainsLater !== true || !(error instanceof NodeError) || this.#isRead) return false
    if (error.kind !== 'reverted' && error.kind !== 'executionFailed') return false
    const isKept = history.keeps(this.#logged.request.id)
    return !isKept && chain.remote === undefined && failureExplainer.canWait
  }

  get #isLogged(): boolean {
    const { onRequest, readsConsoleOnly } = this.#options
    if (onRequest === undefined || !this.#node.logging.value) return false
    return readsConsoleOnly?.() !== true || this.execution.hasConsoleOutput
  }

  succeed(result?: unknown): void {
    this.#write(() => {
      if (result === undefined) return {}
      const failed = this.execution.failures()
      return { result, ...(failed.length > 0 && { failed }) }
    })
  }

  /** Writes the entry of a failed request. Returns the error that the client gets. */
  fail(error: unknown): NodeError {
    const sent = reportFault(error, this.#options.onFault)
    const failure = this.execution.keptFailure(error)?.id
    this.#write(() => {
      const error = this.wireError(sent)
      const isShort = error.message === sent.details.phrases?.node33
      const reason = isShort ? sent.message : this.execution.reasonOf(sent, this.#logged.dialect)
      // An error message about params may repeat one of them.
      const isSecret = this.#logged.isConfidential && sent.kind === 'invalidParams'
      return {
        error: isSecret ? { ...error, message: NOT_SHOWN } : error,
        ...(reason !== undefined && { reason }),
      }
    }, failure)
    return sent
  }

  /** Like `wireError`, for an error that can be explained later. */
  explainedError(error: NodeError, part: ExplainedPart): WireError {
    this.execution.explainNow(error, part)
    return this.wireError(error)
  }

  /** The error as the client gets it, with the names of custom errors. */
  wireError(error: NodeError): WireError {
    const { textOf: nameOf } = this.#node.customErrors
    const failure = this.execution.failureOf(error)
    // Without a port, no command can reach the node.
    const command = failure && this.#options.isServed ? this.execution.commandFor(error) : undefined
    const wire = toWireError(error, this.#logged.dialect, { nameOf, failure, command })
    return this.#options.form?.shownError(error, wire) ?? wire
  }

  /** Makes the entry only if there is a listener. A listener's error does not change the response. */
  #write(outcome: () => RequestOutcome, failure?: number): void {
    const { onRequest, onFault, history, now, world } = this.#options
    const [isLogged, isKept] = [this.#isLogged, history.keeps(this.#logged.request.id)]
    if (!isLogged && !isKept) return
    const { request, isConfidential } = this.#logged
    try {
      const ended = outcome()
      const entry: RequestLogEntry = {
        method: request.method,
        ...(world !== undefined && { world }),
        params: isConfidential ? NOT_SHOWN : withShownUrls(request.params ?? []),
        durationMs: now() - this.#startedAt,
        ...(isLogged && this.execution.report()),
        ...(isConfidential ? withoutSecrets(ended) : ended),
      }
      if (isKept) history.add(entry, failure)
      if (isLogged) onRequest?.(entry)
    } catch (error) {
      onFault?.(error)
    }
  }
}

const withoutSecrets = ({ error }: RequestOutcome): RequestOutcome =>
  error === undefined ? { result: NOT_SHOWN } : { error: { code: error.code, message: error.message } }

/** Length of a reference in bytes. */
const REFERENCE_LENGTH = 4

/** The error to send. A user's error is unchanged; a fault of the program becomes a reference that is also in the log. */
export function reportFault(error: unknown, onFault: NodeHooks['onFault']): NodeError {
  if (error instanceof NodeError && error.kind !== 'internal') return error
  const reference = toHex(realHost.random(REFERENCE_LENGTH)).slice(2)
  onFault?.(error, reference)
  const detail = error instanceof NodeError ? `: ${error.message}` : ''
  return new NodeError('internal', `Internal error (reference ${reference})${detail}`, { cause: error })
}
