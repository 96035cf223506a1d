/** WebSockets on the port of HTTP: upgrades, signs of life, and the end of all connections. */

import { STATUS_CODES } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { lazyPart } from '../base/lazy-part.ts'
import type { Outside } from '../base/outside.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Network } from '../config/network.ts'
import type { Options } from '../config/options.ts'
import type { NodeHooks } from '../config/request-log.ts'
import { Dispatcher } from '../rpc/dispatch.ts'
import { NotificationWriter } from '../rpc/render/notification.ts'
import { NO_DIALECT, NO_URL, addressOf, dialectOf, refusedCaller, urlOf } from './admission.ts'
import type { Refusal } from './admission.ts'
import type { Destination, Destinations } from './destinations.ts'
import { failureOf, refusalText } from './respond.ts'
import { Connection } from './socket.ts'

/** What the sockets work with. */
export interface SocketParts {
  readonly destinations: Destinations
  readonly network: Network
  readonly options: Options
  readonly outside: Outside
  /** Told about errors that are the program's fault. */
  readonly onFault?: NodeHooks['onFault']
}

/** A caller who is let in. */
interface Admitted {
  readonly destination: Destination
  readonly dialect: Dialect
  /** What ends the connection when its world is deleted. */
  readonly ending: { end: () => void }
}

/** Time between two looks at whether the clients are still there, in milliseconds. */
const LOOK_MS = 30_000

/** Time that a client has to answer a goodbye, in milliseconds; then its connection is cut. */
const GOODBYE_MS = 900

/** The WebSockets of one server. */
export class Sockets {
  readonly #parts: SocketParts
  readonly #writer: NotificationWriter
  readonly #open = new Map<Connection, Promise<void>>()
  /** The library is loaded at the first upgrade, for most runs never see one. */
  readonly #load = lazyPart('ws', () => this.#loadServer())
  #cancelLook: (() => void) | undefined
  #isClosed = false

  constructor(parts: SocketParts) {
    this.#parts = parts
    this.#writer = new NotificationWriter(parts.network)
  }

  /** Number of open connections. */
  get size(): number {
    return this.#open.size
  }

  /** Takes a connection over from HTTP, or refuses it as HTTP would. */
  readonly upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    // Nobody else listens until the handshake is over; an unheard error would end the process.
    stream.on('error', () => stream.destroy())
    this.#begin(request, stream, head).catch((error: unknown) => {
      refuseUpgrade(stream, failureOf(error, this.#parts.onFault))
    })
  }

  async #begin(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const admitted = this.#admit(request, stream)
    if ('status' in admitted) return refuseUpgrade(stream, admitted)
    stream.once('close', admitted.destination.leave)
    const server = await this.#load()
    if (this.#isClosed) stream.destroy()
    else server.handleUpgrade(request, stream, head, (socket) => this.#accept(socket, admitted))
  }

  /** Ends every connection, within a second. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelLook?.()
    for (const connection of this.#open.keys()) connection.close('the node is closing')
    await Promise.all(this.#open.values())
  }

  #admit(request: IncomingMessage, stream: Duplex): Refusal | Admitted {
    const { options, destinations } = this.#parts
    const refused = refusedCaller(request, options)
    if (refused !== undefined) return refused
    const url = urlOf(request)
    if (url === undefined) return NO_URL
    const dialect = dialectOf(url, options)
    const address = addressOf(url, options)
    if ('status' in address) return address
    if (dialect === undefined) return NO_DIALECT
    const ending = { end: () => void stream.destroy() }
    const destination = destinations.enter(address, () => ending.end())
    return 'status' in destination ? destination : { destination, dialect, ending }
  }

  async #loadServer(): Promise<WebSocketServer> {
    const { WebSocketServer: Server } = await import('ws')
    const settings = {
      noServer: true,
      clientTracking: false,
      maxPayload: this.#parts.options.bodyLimit,
      closeTimeout: GOODBYE_MS,
    }
    return new Server(settings)
  }

  #accept(socket: WebSocket, { destination, dialect, ending }: Admitted): void {
    const { options, onFault } = this.#parts
    const { node, dispatch } = destination
    const subscriber = node.subscriptions.connect((id, happening) => {
      // What fails here must not stop the chain in the middle of a block.
      try {
        connection.notify(this.#writer.write(id, happening))
      } catch (error) {
        connection.fail(error)
      }
    })
    const connection: Connection = new Connection({
      ...{ socket, subscriber, dialect, onFault },
      dispatcher: new Dispatcher(node, { ...dispatch, subscriber }),
      bufferLimit: options.wsBufferLimit,
      backlogLimit: options.bodyLimit,
    })
    ending.end = () => connection.close('the world was deleted')
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        this.#open.delete(connection)
        resolve()
      })
    })
    this.#open.set(connection, closed)
    this.#cancelLook ??= this.#scheduleLook()
  }

  #scheduleLook(): () => void {
    return this.#parts.outside.schedule(LOOK_MS, () => {
      for (const connection of this.#open.keys()) connection.look()
      this.#cancelLook = this.size === 0 ? undefined : this.#scheduleLook()
    })
  }
}

/** Answers in HTTP, and ends the connection: what follows might be meant as WebSocket. */
function refuseUpgrade(stream: Duplex, refusal: Refusal): void {
  const { status } = refusal
  const body = refusalText(refusal)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => stream.destroy())
}
