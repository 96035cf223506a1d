/** An HTTP proxy in front of a real node that spoils the answers that a test chooses. */

import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { ask, withServer } from './server.ts'

/** A message that arrived: a single JSON-RPC request, or a batch. */
export interface ProxiedMessage {
  /** Number of messages before it. */
  readonly index: number
  /** Path and query of the request. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Names and values as they were sent, in turn. */
  readonly rawHeaders: readonly string[]
  readonly isBatch: boolean
  readonly requests: readonly {
    readonly id: unknown
    readonly method: string
    readonly params: readonly unknown[]
  }[]
}

/** What happens to one message. */
export type ProxyFault =
  /** The node's answer. */
  | 'pass'
  /** The connection is closed before the answer. */
  | 'reset'
  /** Half of the answer, and the connection is closed. */
  | 'truncate'
  /** No answer. */
  | 'silence'
  | 'not JSON'
  /** An HTML page, as of a gateway. */
  | 'html'
  /** One error for a batch; a single request passes. */
  | 'refuse batch'
  /** An HTTP status. */
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** The node's answer with a change, such as wrong ids. */
  | { readonly change: (answer: any, message: ProxiedMessage) => unknown }
  /** A JSON-RPC error for every request. */
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  /** The node's answer, once the promise is resolved. */
  | { readonly after: Promise<unknown> }

/** The faults of the messages in their order, after which all pass; or the fault of each message. */
export type ProxyScript = readonly ProxyFault[] | ((message: ProxiedMessage) => ProxyFault)

/** A running proxy. */
export interface FaultProxy {
  readonly port: number
  readonly httpUrl: string
  /** All messages, oldest first. */
  readonly received: readonly ProxiedMessage[]
  /** Number of connections that clients opened. */
  readonly connections: number
  /** Closes the connections that carry no request, as servers do after some time. */
  readonly closeIdle: () => void
}

/** Runs a test with a proxy in front of a new node, or of the server on a port. */
export async function withFaultProxy(
  script: ProxyScript,
  run: (proxy: FaultProxy) => Promise<void>,
  target: OptionsInput | { readonly targetPort: number } = {},
): Promise<void> {
  if (!('targetPort' in target))
    return withServer(target, ({ port }) => withFaultProxy(script, run, { targetPort: port }))
  const proxy = new TestProxy(script, target.targetPort)
  await proxy.listen()
  try {
    await run(proxy)
  } finally {
    await proxy.close()
  }
  if (proxy.failures.length > 0)
    throw new AggregateError(proxy.failures, `the proxy failed: ${String(proxy.failures[0])}`)
}

const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>'

class TestProxy implements FaultProxy {
  readonly received: ProxiedMessage[] = []
  /** Errors of the script or of the node, but not of clients that went away. */
  readonly failures: unknown[] = []
  connections = 0
  readonly #script: ProxyScript
  readonly #target: { readonly port: number }
  readonly #server: Server

  constructor(script: ProxyScript, targetPort: number) {
    this.#script = script
    this.#target = { port: targetPort }
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        if (request.complete) this.failures.push(error)
        response.destroy()
      })
    })
    this.#server.on('connection', () => this.connections++)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get httpUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  readonly closeIdle = () => this.#server.closeIdleConnections()

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const message = this.#receive(request, body)
    const fault = this.#faultOf(message)
    if (fault === 'silence') return
    if (fault === 'reset') return void request.socket.destroy()
    if (typeof fault === 'object' && 'status' in fault) {
      response.writeHead(fault.status, fault.headers)
      return void response.end(fault.body ?? '')
    }
    const answer = await this.#answer(body, message, fault)
    const head = { 'content-type': fault === 'html' ? 'text/html' : 'application/json' }
    response.writeHead(200, { ...head, 'content-length': String(Buffer.byteLength(answer)) })
    if (fault !== 'truncate') return void response.end(answer)
    response.write(half(answer), () => request.socket.destroy())
  }

  #receive({ url = '', headers, rawHeaders }: IncomingMessage, body: string): ProxiedMessage {
    const json = JSON.parse(body)
    const isBatch = Array.isArray(json)
    const requests = isBatch ? json : [json]
    const message = { index: this.received.length, path: url, headers, rawHeaders, isBatch, requests }
    this.received.push(message)
    return message
  }

  #faultOf(message: ProxiedMessage): ProxyFault {
    const script = this.#script
    return (typeof script === 'function' ? script(message) : script[message.index]) ?? 'pass'
  }

  async #answer(body: string, message: ProxiedMessage, fault: ProxyFault): Promise<string> {
    if (fault === 'not JSON') return 'ready'
    if (fault === 'html') return HTML
    if (fault === 'refuse batch' && message.isBatch) {
      const error = { code: -32600, message: 'batch requests are disabled' }
      return JSON.stringify({ jsonrpc: '2.0', id: null, error })
    }
    if (typeof fault === 'object' && 'error' in fault) {
      const errors = message.requests.map(({ id }) => ({ jsonrpc: '2.0', id, error: fault.error }))
      return JSON.stringify(message.isBatch ? errors : errors[0])
    }
    if (typeof fault === 'object' && 'after' in fault) await fault.after
    const { text: answer } = await ask(this.#target, { body })
    if (typeof fault !== 'object' || !('change' in fault)) return answer
    return JSON.stringify(fault.change(JSON.parse(answer), message))
  }
}

const half = (answer: string): string => answer.slice(0, Math.floor(answer.length / 2))
