/** Serves WebSockets on the HTTP port: upgrades, pings, and the shutdown. */

import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { lazyPart } from '../base/lazy-part.ts'
import { INVALID_PATH, callerRefusal, requestedChainOf, targetOf } from './admission.ts'
import type { ChainLease, Refusal } from './admission.ts'
import { Connections, CLOSE_TIMEOUT_MS, type SocketDependencies } from './connections.ts'
import { failureOf, refusalText } from './respond.ts'

/** Time between two pings, in milliseconds. */
const CHECK_MS = 30_000

/** The WebSockets of one server. */
export class Sockets {
  readonly #dependencies: SocketDependencies
  readonly #connections: Connections
  /** The library is loaded at the first upgrade, because most runs never need it. */
  readonly #load = lazyPart('ws', async () => {
    const { WebSocketServer } = await import('ws')
    const { bodyLimit: maxPayload } = this.#dependencies.options
    const settings = { clientTracking: false, maxPayload, closeTimeout: CLOSE_TIMEOUT_MS }
    return new WebSocketServer({ ...settings, noServer: true })
  })
  #cancelCheck: (() => void) | undefined
  #isClosed = false

  constructor(dependencies: SocketDependencies) {
    this.#dependencies = dependencies
    this.#connections = new Connections(dependencies)
  }

  get size(): number {
    return this.#connections.size
  }

  /** Takes a connection over from HTTP, or refuses it with an HTTP response. */
  readonly upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    // Until the handshake is over, this is the only listener. An error without a listener would end the process.
    stream.on('error', () => stream.destroy())
    this.#begin(request, stream, head).catch((error: unknown) => {
      refuseUpgrade(stream, failureOf(error, this.#dependencies.onFault))
    })
  }

  async #begin(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    let end = (): void => void stream.destroy()
    // The world of the connection may be deleted before and after the handshake.
    const lease = this.#admit(request, () => end())
    if ('status' in lease) return refuseUpgrade(stream, lease)
    stream.once('close', lease.release)
    const server = await this.#load()
    if (this.#isClosed) return void stream.destroy()
    server.handleUpgrade(request, stream, head, (socket) => {
      const connection = this.#connections.open(socket, lease)
      end = () => connection.close('the world was deleted')
      this.#cancelCheck ??= this.#scheduleCheck()
    })
  }

  /** Ends every connection, within a second. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelCheck?.()
    await this.#connections.close('the node is closing')
  }

  #admit(request: IncomingMessage, whenDeleted: () => void): Refusal | ChainLease {
    const { options, acquireChain } = this.#dependencies
    const refusal = callerRefusal(request, options)
    if (refusal !== undefined) return refusal
    const target = targetOf(request)
    if (target === undefined) return INVALID_PATH
    const requested = requestedChainOf(target, options)
    return 'status' in requested ? requested : acquireChain(requested, whenDeleted)
  }

  #scheduleCheck(): () => void {
    return this.#dependencies.host.schedule(CHECK_MS, () => {
      this.#connections.checkAlive()
      this.#cancelCheck = this.size === 0 ? undefined : this.#scheduleCheck()
    })
  }
}

/** Writes an HTTP response and ends the connection, because the client may send WebSocket frames next. */
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
