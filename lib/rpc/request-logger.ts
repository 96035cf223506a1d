/** Writes one log entry for each request, with its outcome and what its executions did. */

import type { NodeError } from '../base/errors.ts'
import type { Dialect } from '../config/dialect.ts'
import type { NodeHooks, RequestLogEntry } from '../config/request-log.ts'
import type { Node } from '../node.ts'
import type { JsonRpcRequest } from './envelope.ts'
import { toWireError } from './error-codes.ts'
import type { WireError } from './error-codes.ts'
import { ExecutionLog } from './execution-log.ts'
import { reported } from './fault.ts'

/** Options of a request logger. */
export interface RequestLoggerOptions {
  /** Milliseconds, for durations in the log. */
  readonly now: () => number
  /** Id of the world, for the log. */
  readonly world?: string | undefined
  /** Called with the entry of every request that reached a method. */
  readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined
  /** Called with errors that are the program's fault. */
  readonly onFault?: NodeHooks['onFault']
}

type RequestOutcome = Pick<RequestLogEntry, 'error' | 'failed' | 'result' | 'reason'>

/** The log entry of one request, until the outcome of the request is known. */
export interface OpenEntry {
  /** Collects what the executions of the request do. */
  readonly execution: ExecutionLog
  /** Writes the entry of a request that succeeded. */
  readonly succeed: (result?: unknown) => void
  /** Writes the entry of a request that failed; returns the error that the client gets. */
  readonly fail: (error: unknown) => NodeError
}

/** Replaces params and results of methods that take passphrases or keys. */
const NOT_SHOWN = '(not shown)'

/** Logs the requests of one node. */
export class RequestLogger {
  readonly #node: Node
  readonly #options: RequestLoggerOptions

  constructor(node: Node, options: RequestLoggerOptions) {
    this.#node = node
    this.#options = options
  }

  /** Begins the entry of a request. Confidential params and results are not shown. */
  begin(request: JsonRpcRequest, dialect: Dialect, isConfidential: boolean): OpenEntry {
    const { now, world } = this.#options
    const startedAt = now()
    const execution = new ExecutionLog(this.#node)
    const write = (outcome: RequestOutcome): void =>
      this.#write(() => ({
        method: request.method,
        ...(world === undefined ? {} : { world }),
        params: isConfidential ? NOT_SHOWN : (request.params ?? []),
        durationMs: now() - startedAt,
        ...execution.report(),
        ...(isConfidential ? withoutSecrets(outcome) : outcome),
      }))
    return {
      execution,
      succeed: (result) => {
        write(result === undefined ? {} : { result, ...execution.failures() })
      },
      fail: (error) => {
        const sent = reported(error, this.#options.onFault)
        write({ error: this.wireError(sent, dialect), ...execution.reasonOf(error, dialect) })
        return sent
      },
    }
  }

  /** The error as the client gets it, with the names of custom errors. */
  wireError(error: NodeError, dialect: Dialect): WireError {
    return toWireError(error, dialect, this.#node.customErrors.textOf)
  }

  /** An error of the listener does not change the response. */
  #write(entry: () => RequestLogEntry): void {
    const { onRequest, onFault } = this.#options
    if (onRequest === undefined || !this.#node.logging.value) return
    try {
      onRequest(entry())
    } catch (error) {
      onFault?.(error)
    }
  }
}

/** The message of an error may repeat a param. */
function withoutSecrets({ error }: RequestOutcome): RequestOutcome {
  return error === undefined ? { result: NOT_SHOWN } : { error: { code: error.code, message: NOT_SHOWN } }
}
