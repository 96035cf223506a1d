/**
 * Sends JSON-RPC over HTTP. It uses `node:http` instead of `fetch`: an agent's idle connections can be closed and limited, and a
 * request takes less processor time.
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

/** Maximum bytes of an answer: far above blocks and logs, and far below JavaScript's longest text. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024

interface HttpClient {
  readonly request: typeof httpRequest
  readonly agent: Agent
}

const loadHttps = lazyPart('https', () => import('./proxy.ts'))

/** HTTP or HTTPS, with connections that are reused. */
export function httpTransport(settings: TransportSettings) {
  const { url, headers, host, timeoutMs } = settings
  const active = new Set<ClientRequest>()
  let client: Promise<HttpClient> | undefined
  let isClosed = false

  /** Sends a body and reads the reply; undefined if an old connection was closed meanwhile. */
  const exchange = ({ request: send, agent }: HttpClient, body: Buffer | undefined) => {
    const type = body && { 'content-type': 'application/json' }
    const own = { ...type, accept: 'application/json', 'accept-encoding': 'identity' }
    const length = body && { 'content-length': String(body.length) }
    return new Promise<RemoteReply | undefined>((resolve) => {
      const method = body === undefined ? 'GET' : 'POST'
      const request = send(url, { method, agent, headers: { ...own, ...headers, ...length } })
      let cancelTimer = (): void => undefined
      active.add(request)
      const settle = (reply: RemoteReply | undefined): void => {
        cancelTimer()
        active.delete(request)
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
      request.once('response', (response) => readReply(response, settings, settle))
      request.end(body)
    })
  }

  const answer = async (body: Buffer | undefined): Promise<RemoteReply> => {
    const opened = await (client ??= openClient(settings))
    // A server may close an idle connection just when it is reused. This is not the remote's fault.
    while (!isClosed) {
      const reply = await exchange(opened, body)
      if (reply !== undefined) return reply
    }
    return closedFault
  }

  return {
    /** Sends one request alone, or several as a batch. Never rejects because of the remote. */
    send: (requests: readonly WireRequest[]): Promise<RemoteReply> =>
      answer(Buffer.from(JSON.stringify(requests.length === 1 ? requests[0] : requests))),
    /** Asks for the JSON at the URL. Never rejects because of the server. */
    get: (): Promise<RemoteReply> => answer(undefined),
    close(): void {
      isClosed = true
      for (const request of active) request.destroy()
      // If the client could not be made, the requests have failed already.
      client?.then(({ agent }) => agent.destroy()).catch(() => undefined)
    },
  }
}

async function openClient(settings: TransportSettings): Promise<HttpClient> {
  const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS }
  if (settings.url.protocol === 'http:') return { request: httpRequest, agent: new Agent(options) }
  const { httpsClient } = await loadHttps()
  return httpsClient(settings, options)
}

function readReply(
  response: IncomingMessage,
  settings: TransportSettings,
  settle: (reply: RemoteReply) => void,
): void {
  const chunks: Buffer[] = []
  let length = 0
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length <= MAX_ANSWER_BYTES) return
    settle(lasting((method) => `answered ${method} with more than ${MAX_ANSWER_BYTES} bytes`))
    response.destroy()
  })
  // After an error the event below follows.
  response.on('error', () => undefined)
  response.once('close', () => {
    if (!response.complete) return settle(transient((method) => `broke off its answer to ${method}`))
    settle(replyOf(response, Buffer.concat(chunks).toString('utf8'), settings))
  })
}

function replyOf(
  { statusCode: status = 0, headers }: IncomingMessage,
  text: string,
  { url, host }: TransportSettings,
): RemoteReply {
  const json = jsonValue(text)
  if (status >= 200 && status < 300) {
    if (json !== undefined) return { kind: 'json', json }
    return { kind: 'status', status, json, detail: detailOf(text, json), fault: notJson }
  }
  const { location, 'retry-after': retryAfter } = headers
  const detail =
    location === undefined ? detailOf(text, json) : `it redirects to ${shownTarget(location, url)}`
  return { kind: 'status', status, json, detail, fault: statusFault({ status, detail }, retryAfter, host) }
}

/** The target of a redirect. It is not followed, because headers and path may be secrets for this server only. */
const shownTarget = (location: string, { href }: URL): string =>
  URL.canParse(location, href) ? shownUrl(new URL(location, href).href) : '...'

/** Whether the request failed because the server had already closed the idle connection. */
function isStale(request: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

/** Maximum characters of a plain text that explains a status. */
const MAX_DETAIL = 200

/** The explanation in an error's body, such as "invalid project id". */
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
