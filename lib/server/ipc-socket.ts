/** Adapts a local socket to the interface of WebSockets: requests are JSON values, and each response is a line. */

import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { Host } from '../base/host.ts'
import { CLOSE_TIMEOUT_MS } from './connections.ts'
import { refusalText } from './respond.ts'
import type { MessageSocket } from './socket-connection.ts'

/** ASCII codes: line feed, quotation mark, backslash, and the brackets [ and {, ] and }. */
const NEWLINE = 10
const QUOTE = 34
const BACKSLASH = 92
const OPENING: readonly number[] = [91, 123]
const CLOSING: readonly number[] = [93, 125]

/** Finds the ends of values. It does not check that a value is valid JSON. */
export class JsonValues {
  #parts: Buffer[] = []
  #length = 0
  #depth = 0
  #isInString = false
  #isEscaped = false

  /** Length of the incomplete value in bytes. */
  get incompleteLength(): number {
    return this.#length
  }

  /** Takes the next bytes, and returns the values that end in them. Blank lines are not values. */
  take(chunk: Buffer): readonly string[] {
    const values: string[] = []
    let start = 0
    for (const [index, byte] of chunk.entries()) {
      if (!this.#isEnd(byte)) continue
      this.#parts.push(chunk.subarray(start, index + 1))
      start = index + 1
      const value = Buffer.concat(this.#parts).toString('utf8').trim()
      this.#parts = []
      this.#length = 0
      if (value !== '') values.push(value)
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start))
    this.#length += chunk.length - start
    return values
  }

  /** An object or an array ends with its closing bracket. Any other value, such as an unterminated string, ends with its line. */
  #isEnd(byte: number): boolean {
    if (byte === NEWLINE && (this.#isInString || this.#depth === 0)) return this.#reset()
    if (this.#isInString) {
      if (byte === QUOTE && !this.#isEscaped) this.#isInString = false
      this.#isEscaped = byte === BACKSLASH && !this.#isEscaped
      return false
    }
    if (byte === QUOTE) this.#isInString = true
    else if (OPENING.includes(byte)) this.#depth++
    else if (CLOSING.includes(byte)) return --this.#depth <= 0 && this.#reset()
    return false
  }

  #reset(): true {
    this.#depth = 0
    this.#isInString = false
    this.#isEscaped = false
    return true
  }
}

/** A socket that carries a sequence of JSON values. */
export class IpcSocket implements MessageSocket {
  readonly #socket: Socket
  readonly #host: Host
  readonly #events = new EventEmitter()
  readonly #values = new JsonValues()

  /** `bodyLimit` is the maximum number of bytes of a request. */
  constructor(socket: Socket, bodyLimit: number, host: Host) {
    this.#socket = socket
    this.#host = host
    socket.on('data', (chunk) => this.#receive(chunk, bodyLimit))
    socket.on('error', () => this.#events.emit('gone'))
    socket.on('close', () => this.#events.emit('close'))
  }

  get isPaused(): boolean {
    return this.#socket.isPaused()
  }

  get bufferedAmount(): number {
    return this.#socket.writableLength
  }

  on(event: 'message' | 'pong' | 'error' | 'close', listener: (data: Buffer) => void): this {
    this.#events.on(event === 'error' ? 'gone' : event, listener)
    return this
  }

  send(text: string, { fin }: { readonly fin: boolean }, sent: () => void): void {
    this.#socket.write(fin ? `${text}\n` : text, () => sent())
  }

  /** Emits `pong` at once. A local socket needs no pings: the operating system reports the end of the other process. */
  ping(): void {
    this.#events.emit('pong')
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  terminate(): void {
    this.#socket.destroy()
  }

  /** Ends the connection when all output is sent, or after a timeout. */
  close(): void {
    const cancel = this.#host.schedule(CLOSE_TIMEOUT_MS, () => this.#socket.destroy())
    this.#socket.once('close', cancel)
    this.#socket.destroySoon()
  }

  #receive(chunk: Buffer, bodyLimit: number): void {
    for (const value of this.#values.take(chunk)) {
      if (Buffer.byteLength(value) > bodyLimit) return this.#refuse(bodyLimit)
      this.#events.emit('message', Buffer.from(value))
    }
    if (this.#values.incompleteLength > bodyLimit) this.#refuse(bodyLimit)
  }

  /** Refuses a request that is too long and ends the connection, because the start of the next request is unknown. */
  #refuse(bodyLimit: number): void {
    this.#socket.removeAllListeners('data')
    const message = `request exceeds the limit of ${bodyLimit} bytes`
    this.#socket.write(`${refusalText({ status: 413, message })}\n`)
    this.close()
  }
}
