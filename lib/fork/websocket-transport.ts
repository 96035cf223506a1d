/** Sends JSON-RPC over one WebSocket, which is opened when it is needed. An answer is matched to its message by ids. */

import type { IncomingMessage } from 'node:http'
import type { RawData, WebSocket } from 'ws'
import { lazyPart } from '../base/lazy-part.ts'
import {
  closedFault,
  connectionFault,
  MAX_ANSWER_BYTES,
  messageText,
  readReply,
  statusFault,
  timeoutFault,
} from './transport.ts'
import type { RemoteReply, Transport, TransportSettings, WireRequest } from './transport.ts'

/** Node 20 has no WebSocket of its own, and that of later versions takes no headers. */
const load = lazyPart('ws', () => import('ws'))

interface SentMessage {
  readonly ids: ReadonlySet<number>
  readonly text: string
  readonly settle: (reply: RemoteReply) => void
}

/** A WebSocket that is opened again after it was closed. */
export class WebSocketTransport implements Transport {
  readonly #settings: TransportSettings
  #connection: RemoteSocket | undefined

  constructor(settings: TransportSettings) {
    this.#settings = settings
  }

  async send(requests: readonly WireRequest[]): Promise<RemoteReply> {
    const { WebSocket: Socket } = await load()
    const { url, headers, host, timeoutMs } = this.#settings
    if (this.#connection?.isUsable !== true) {
      const settings = { headers, perMessageDeflate: false, maxPayload: MAX_ANSWER_BYTES }
      this.#connection = new RemoteSocket(new Socket(url, settings), this.#settings)
    }
    const connection = this.#connection
    return new Promise((resolve) => {
      const { received } = connection
      const cancelTimer = host.schedule(timeoutMs, () => {
        message.settle(timeoutFault(timeoutMs))
        // A connection that delivered nothing meanwhile is dead.
        if (connection.received === received) connection.lose(closedFault())
      })
      const message: SentMessage = {
        ids: new Set(requests.map(({ id }) => id)),
        text: messageText(requests),
        settle: (reply) => {
          cancelTimer()
          connection.forget(message)
          resolve(reply)
        },
      }
      connection.send(message)
    })
  }

  close(): void {
    this.#connection?.lose(closedFault())
  }
}

class RemoteSocket {
  received = 0
  #isLost = false
  readonly #socket: WebSocket
  /** Oldest first. */
  readonly #waiting = new Set<SentMessage>()

  constructor(socket: WebSocket, { host }: TransportSettings) {
    this.#socket = socket
    // An idle connection does not keep the process alive.
    socket.on('upgrade', (response: IncomingMessage) => response.socket.unref())
    socket.on('open', () => {
      for (const { text } of this.#waiting) socket.send(text)
    })
    socket.on('message', (data) => this.#receive(textOf(data)))
    socket.on('unexpected-response', (_request, { statusCode: status = 0, headers }) => {
      const fault = statusFault({ status }, headers['retry-after'], host)
      this.lose({ kind: 'status', status, json: undefined, fault })
    })
    socket.on('error', (error) => this.lose(connectionFault(error)))
    socket.on('close', () => this.lose(closedFault()))
  }

  /** Whether messages can be sent, now or after the handshake. */
  get isUsable(): boolean {
    const { readyState, CONNECTING, OPEN } = this.#socket
    return !this.#isLost && (readyState === CONNECTING || readyState === OPEN)
  }

  send(message: SentMessage): void {
    this.#waiting.add(message)
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(message.text)
  }

  forget(message: SentMessage): void {
    this.#waiting.delete(message)
  }

  /** Ends the connection, and every message that waits for an answer. */
  lose(reply: RemoteReply): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#socket.terminate()
    for (const message of this.#waiting) message.settle(reply)
  }

  #receive(text: string): void {
    this.received++
    const reply = readReply(text)
    this.#addressee(reply)?.settle(reply)
  }

  /** The message that a reply answers; one that names no id, such as an error about a batch, answers the oldest message. */
  #addressee(reply: RemoteReply): SentMessage | undefined {
    const ids = reply.kind === 'json' ? idsIn(reply.json) : []
    const messages = [...this.#waiting]
    if (ids === undefined) return undefined
    if (ids.length === 0) return messages[0]
    return messages.find((message) => ids.some((id) => message.ids.has(id)))
  }
}

/** The ids in an answer; none if it names none, undefined for a notification. */
function idsIn(json: unknown): readonly number[] | undefined {
  if (Array.isArray(json)) return json.flatMap((item: unknown) => idsIn(item) ?? [])
  if (typeof json !== 'object' || json === null) return []
  if ('id' in json && typeof json.id === 'number') return [json.id]
  return 'method' in json ? undefined : []
}

/** The text of a message; `ws` delivers messages as one buffer unless it is told otherwise. */
const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString('utf8') : '')
