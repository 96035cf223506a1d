/**
 * A transport's open connections. Each has its own subscriptions and dispatcher, and handles its requests in sequence.
 * Notifications caused by a request are sent before its response. Notifications of a new subscription begin directly after the
 * response with its id.
 */

import type { Host } from '../base/host.ts'
import { oncePer } from '../base/once.ts'
import type { Subscriber } from '../chain/filters/subscriptions.ts'
import type { Network } from '../config/network.ts'
import type { Options } from '../config/options.ts'
import type { NodeHooks } from '../config/request-log.ts'
import { Dispatcher } from '../rpc/dispatch.ts'
import { notificationWriter } from '../rpc/render/notification.ts'
import type { WireForm } from '../kernel/wire-form.ts'
import { OWN_FORM } from '../rpc/envelope.ts'
import type { StreamedResponse } from '../rpc/streamed-response.ts'
import type { AcquireChain, ChainLease } from './admission.ts'

export interface SocketDependencies extends Pick<NodeHooks, 'onFault'> {
  readonly acquireChain: AcquireChain
  readonly options: Options
  readonly host: Host
}

/** Milliseconds that a client has to acknowledge the close of its connection before the socket is destroyed. */
export const CLOSE_TIMEOUT_MS = 900

/** The connections of one server over one transport. */
export function createConnections({ options, onFault }: SocketDependencies) {
  const writersOf = oncePer((form: WireForm) =>
    oncePer((network: Network) => notificationWriter(network, form)),
  )
  /** Connections, each with a promise that resolves when it is closed. */
  const all = new Map<Connection, Promise<void>>()
  return {
    all,
    /** Handles the requests of a socket until it is closed. */
    open(socket: MessageSocket, { node, dispatch, dialect }: ChainLease): Connection {
      const writer = writersOf(dispatch.form ?? OWN_FORM)(node.network)
      const subscriber = node.subscriptions.connect((id, event) => {
        // An error here must not interrupt the chain while it adds a block.
        try {
          connection.notify(writer.write(id, event))
        } catch (error) {
          connection.fail(error)
        }
      })
      const dispatcher = new Dispatcher(node, { ...dispatch, subscriber })
      const connection = new Connection({ socket, subscriber, dialect, onFault, dispatcher, options })
      const closed = new Promise<void>((resolve) => {
        socket.on('close', () => {
          all.delete(connection)
          resolve()
        })
      })
      all.set(connection, closed)
      return connection
    },
    async close(reason: string): Promise<void> {
      for (const connection of all.keys()) connection.close(reason)
      await Promise.all(all.values())
    },
  }
}

/** A socket that carries messages, with the members of `ws`. */
export interface MessageSocket {
  readonly isPaused: boolean
  readonly bufferedAmount: number
  on(event: 'message', listener: (data: Buffer) => void): unknown
  on(event: 'pong' | 'error' | 'close', listener: () => void): unknown
  /** Sends a message, or a piece of one if `fin` is false. */
  send(text: string, options: { readonly fin: boolean; readonly binary: false }, sent: () => void): void
  ping(): void
  pause(): void
  resume(): void
  terminate(): void
  close(code: number, reason: string): void
}

interface ConnectionDependencies
  extends Pick<SocketDependencies, 'onFault' | 'options'>, Pick<ChainLease, 'dialect' | 'dispatcher'> {
  readonly socket: MessageSocket
  readonly subscriber: Subscriber
}

/** Close codes (RFC 6455, section 7.4.1, and its registry). */
const GOING_AWAY = 1001
const INTERNAL_ERROR = 1011
const TRY_AGAIN_LATER = 1013

/** Number of checks without pong or message before a connection is cut: five minutes, because a client may pause in a debugger. */
const MAX_SILENT_CHECKS = 10

class Connection {
  readonly #dependencies: ConnectionDependencies
  readonly #backlog: string[] = []
  #backlogLength = 0
  #isWorking = false
  #isOver = false
  #silentChecks = 0
  /** Notifications that wait until a response in pieces ends, because messages cannot interrupt each other. */
  #waiting: string[] | undefined
  #waitingLength = 0

  constructor(dependencies: ConnectionDependencies) {
    this.#dependencies = dependencies
    const { socket } = dependencies
    socket.on('message', (data) => this.#receive(data))
    socket.on('pong', () => (this.#silentChecks = 0))
    // The library closes the connection with a close code after an invalid message (too long, not UTF-8).
    socket.on('error', () => this.#end())
    socket.on('close', () => this.#end())
  }

  notify(text: string): void {
    if (this.#isOver) return
    if (this.#waiting === undefined) void this.#write(text)
    else {
      this.#waiting.push(text)
      this.#waitingLength += text.length
    }
    this.#dropIfSlow()
  }

  /** Pings the client, or terminates the connection if the client has been silent for too long. */
  checkAlive(): void {
    // The socket may be paused while a request is handled, so pongs may be unread.
    if (this.#isWorking) return
    if (this.#silentChecks++ < MAX_SILENT_CHECKS) this.#dependencies.socket.ping()
    else this.#dependencies.socket.terminate()
  }

  /** Closes the connection because the node is closed or the world is deleted. */
  close(reason: string): void {
    this.#close(GOING_AWAY, reason)
  }

  /** Ends the connection because of a fault of the program. */
  fail(error: unknown): void {
    this.#dependencies.onFault?.(error)
    this.#close(INTERNAL_ERROR, 'internal error')
  }

  #receive(data: Buffer): void {
    if (this.#isOver) return
    const { socket, options } = this.#dependencies
    this.#silentChecks = 0
    const text = data.toString('utf8')
    this.#backlog.push(text)
    this.#backlogLength += text.length
    if (this.#backlogLength > options.bodyLimit) socket.pause()
    if (this.#isWorking) return
    this.#isWorking = true
    this.#handleBacklog().catch((error: unknown) => this.fail(error))
  }

  async #handleBacklog(): Promise<void> {
    const { socket, dispatcher, subscriber, dialect } = this.#dependencies
    for (let text = this.#backlog.shift(); text !== undefined; text = this.#backlog.shift()) {
      this.#backlogLength -= text.length
      const response = await dispatcher.answerStreamed(text, dialect)
      const sent = typeof response === 'string' ? this.#write(response) : this.#writePieces(response)
      // In the same step as the response, so that no message comes between them.
      if (typeof response === 'string' || response === undefined) subscriber.release()
      // The next request begins when this response has been written to the socket.
      await sent
      if (socket.isPaused && this.#backlog.length === 0) socket.resume()
    }
    this.#isWorking = false
  }

  async #writePieces(pieces: StreamedResponse | undefined): Promise<void> {
    if (pieces === undefined) return
    const { subscriber } = this.#dependencies
    this.#waiting = []
    try {
      for await (const piece of pieces) {
        if (this.#isOver) return
        await this.#write(piece, { fin: false })
      }
      void this.#write('')
    } catch {
      // The generator of the pieces has reported the error.
      this.#close(INTERNAL_ERROR, 'the response could not be completed')
    }
    const waiting = this.#waiting
    this.#waiting = undefined
    this.#waitingLength = 0
    for (const text of waiting) this.notify(text)
    subscriber.release()
  }

  #write(text: string, { fin = true } = {}): Promise<void> {
    return new Promise((resolve) => {
      this.#dependencies.socket.send(text, { fin, binary: false }, () => resolve())
    })
  }

  #dropIfSlow(): void {
    const { socket, options } = this.#dependencies
    const { wsBufferLimit: bufferLimit } = options
    if (socket.bufferedAmount + this.#waitingLength <= bufferLimit) return
    this.#close(TRY_AGAIN_LATER, `more than ${bufferLimit} bytes were not read (--ws-buffer-limit)`)
  }

  #close(code: number, reason: string): void {
    this.#dependencies.socket.close(code, reason)
    // A paused socket would not receive the close frame of the client.
    this.#dependencies.socket.resume()
    this.#end()
  }

  /** Frees the resources of the connection, no matter which side closed it. */
  #end(): void {
    this.#isOver = true
    this.#backlog.length = 0
    this.#backlogLength = 0
    this.#waiting &&= []
    this.#dependencies.subscriber.close()
  }
}
