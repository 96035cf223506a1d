/**
 * Sends JSON-RPC over HTTP. It uses the agent of `node:http` and not `fetch`: a client can close an agent's idle connections
 * and limit their number, and a request takes less processor time.
 */

import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { lazyPart } from '../base/lazy-part.ts'
import { isJsonObject, jsonValue } from '../base/json-text.ts'
import { shownUrl } from '../base/shown-url.ts'
import {
  closedFault,
  connectionFault,
  lasting,
  notJson,
  statusFault,
  timeoutFault,
  transient,
} from './transport.ts'
import type { RemoteReply, TransportSettings, WireRequest } from './transport.ts'

const MAX_CONNECTIONS = 16

/** Maximum bytes of an answer: far above blocks and logs, and far below the longest text of JavaScript. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024

interface HttpClient {
  readonly request: typeof httpRequest
  readonly agent: Agent
}

const loadHttps = lazyPart('https', () => import('./proxy.ts'))

/** HTTP or HTTPS, with connections that are used again. */
export class HttpTransport {
  readonly #settings: TransportSettings
  #client: Promise<HttpClient> | undefined
  readonly #active = new Set<ClientRequest>()
  #isClosed = false

  constructor(settings: TransportSettings) {
    this.#settings = settings
  }

  /** Sends one request alone, or several as a batch. Never rejects because of the remote. */
  send(requests: readonly WireRequest[]): Promise<RemoteReply> {
    return this.#answer(Buffer.from(JSON.stringify(requests.length === 1 ? requests[0] : requests)))
  }

  /** Asks for the JSON at the URL. Never rejects because of the server. */
  get(): Promise<RemoteReply> {
    return this.#answer(undefined)
  }

  async #answer(body: Buffer | undefined): Promise<RemoteReply> {
    const client = await (this.#client ??= this.#createClient())
    // A server may close an idle connection at the moment when it is used again. That is no fault of the remote.
    while (!this.#isClosed) {
      const reply = await this.#exchange(client, body)
      if (reply !== undefined) return reply
    }
    return closedFault
  }

  close(): void {
    this.#isClosed = true
    for (const request of this.#active) request.destroy()
    // A client that could not be made has failed the requests.
    this.#client?.then(({ agent }) => agent.destroy()).catch(() => undefined)
  }

  async #createClient(): Promise<HttpClient> {
    const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS }
    if (this.#settings.url.protocol === 'http:') return { request: httpRequest, agent: new Agent(options) }
    const { httpsClient } = await loadHttps()
    return httpsClient(this.#settings, options)
  }

  /** Sends a body and reads the reply; undefined if an old connection was closed meanwhile. */
  #exchange(client: HttpClient, body: Buffer | undefined): Promise<RemoteReply | undefined> {
    const { url, headers, host, timeoutMs } = this.#settings
    const { request: send, agent } = client
    const type = body && { 'content-type': 'application/json' }
    const own = { ...type, accept: 'application/json', 'accept-encoding': 'identity' }
    const length = body && { 'content-length': String(body.length) }
    return new Promise((resolve) => {
      const method = body === undefined ? 'GET' : 'POST'
      const request = send(url, { method, agent, headers: { ...own, ...headers, ...length } })
      let cancelTimer = (): void => undefined
      this.#active.add(request)
      const settle = (reply: RemoteReply | undefined): void => {
        cancelTimer()
        this.#active.delete(request)
        resolve(reply)
      }
      // A request that waits for a connection has not begun.
      request.once('socket', () => {
        cancelTimer = host.schedule(timeoutMs, () => {
          settle(timeoutFault(timeoutMs))
          request.destroy()
        })
      })
      request.on('error', (error) => settle(isStale(request, error) ? undefined : connectionFault(error)))
      request.once('response', (response) => this.#read(response, settle))
      request.end(body)
    })
  }

  #read(response: IncomingMessage, settle: (reply: RemoteReply) => void): void {
    const chunks: Buffer[] = []
    let length = 0
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= MAX_ANSWER_BYTES) return
      settle(lasting((method) => `answered ${method} with more than ${MAX_ANSWER_BYTES} bytes`))
      response.destroy()
    })
    // After an error follows the event below.
    response.on('error', () => undefined)
    response.once('close', () => {
      if (!response.complete) return settle(transient((method) => `broke off its answer to ${method}`))
      settle(this.#replyOf(response, Buffer.concat(chunks).toString('utf8')))
    })
  }

  #replyOf({ statusCode: status = 0, headers }: IncomingMessage, text: string): RemoteReply {
    const json = jsonValue(text)
    if (status >= 200 && status < 300) {
      if (json !== undefined) return { kind: 'json', json }
      return { kind: 'status', status, json, detail: detailOf(text, json), fault: notJson }
    }
    const { location, 'retry-after': retryAfter } = headers
    const detail =
      location === undefined ? detailOf(text, json) : `it redirects to ${this.#shownTarget(location)}`
    return {
      kind: 'status',
      status,
      json,
      detail,
      fault: statusFault({ status, detail }, retryAfter, this.#settings.host),
    }
  }

  /** The target of a redirection, which is not followed: headers and path may be secrets for this server only. */
  #shownTarget(location: string): string {
    const { href } = this.#settings.url
    return URL.canParse(location, href) ? shownUrl(new URL(location, href).href) : '...'
  }
}

/** Whether the request failed because the server had closed an idle connection before. */
function isStale(request: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

/** Maximum characters of a plain text that explains a status. */
const MAX_DETAIL = 200

/** The explanation in the body of an error, such as "invalid project id". */
function detailOf(text: string, json: unknown): string | undefined {
  if (json !== undefined) return messageIn(json)
  const line = text.trim()
  const isPlain = line !== '' && line.length <= MAX_DETAIL && !/[<\u0000-\u001F]/.test(line)
  return isPlain ? line : undefined
}

function messageIn(json: unknown): string | undefined {
  if (typeof json === 'string') return json
  if (!isJsonObject(json)) return undefined
  const { message, error } = json
  return typeof message === 'string' ? message : messageIn(error)
}
