/**
 * Serves JSON-RPC on a Unix domain socket or a Windows named pipe. Requests are JSON values, and each response is a line. The
 * file's permissions let only its owner call.
 */

import { once } from 'node:events'
import { connect, createServer, type Socket, type Server } from 'node:net'
import type { Host } from '../base/host.ts'
import { CLOSE_TIMEOUT_MS, createConnections } from './connections.ts'
import type { MessageSocket, SocketDependencies } from './connections.ts'
import { whenListening } from './listen.ts'
import { refusalText } from './respond.ts'
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { trouble, type NodeError } from '../base/errors.ts'
import { codeOf, reasonOf } from '../base/system-errors.ts'

/**
 * Listens on the path for requests to the default chain. Replaces the socket file of a process that has ended. The returned
 * function stops accepting connections, closes open ones within a second, and removes the file. @throws NodeError 'invalidOption'
 * if another process listens, or if a socket cannot be created at the path
 */
export async function openIpc(dependencies: SocketDependencies, path: string): Promise<() => Promise<void>> {
  const connections = createConnections(dependencies)
  const { acquireChain, options, host, onFault } = dependencies
  const server = createServer((socket) => {
    const lease = acquireChain({ world: undefined, dialect: null })
    if ('status' in lease) socket.destroy()
    else connections.open(messagesOf(socket, options.bodyLimit, host), lease)
  })
  await listen(server, path, onFault)
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    await connections.close('the node is closing')
    await closed
  }
}

async function listen(server: Server, path: string, onFault: SocketDependencies['onFault']): Promise<void> {
  if (await isListening(path)) throw refusal(path, 'another process listens on it')
  if (!isPipe(path) && lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) rmSync(path)
  await whenListening(server.listen(path), onFault).catch((cause: unknown) => {
    const isTaken = codeOf(cause) === 'EADDRINUSE'
    throw refusal(path, isTaken ? 'there is a file that is no socket' : reasonOf(cause))
  })
  if (!isPipe(path)) chmodSync(path, OWNER_ONLY)
}

/** Permissions of the socket file: its owner reads and writes. */
const OWNER_ONLY = 0o600

const refusal = (path: string, reason: string): NodeError =>
  trouble('DN-LISTEN', `cannot listen on ${path}: ${reason} (--ipc)`)

/** Whether a path is a Windows pipe, which has no file. */
const isPipe = (path: string): boolean => path.startsWith('\\\\.\\pipe\\')

async function isListening(path: string): Promise<boolean> {
  const socket = connect(path)
  const isConnected = await once(socket, 'connect').catch(() => undefined)
  socket.destroy()
  return isConnected !== undefined
}

/** ASCII codes: line feed, quotation mark, backslash, and the brackets [ and {, ] and }. */
const NEWLINE = 10
const QUOTE = 34
const BACKSLASH = 92
const OPENING: readonly number[] = [91, 123]
const CLOSING: readonly number[] = [93, 125]

export class JsonValues {
  #parts: Buffer[] = []
  #depth = 0
  #isInString = false
  #isEscaped = false

  get incompleteLength(): number {
    return this.#parts.reduce((length, part) => length + part.length, 0)
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
      if (value !== '') values.push(value)
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start))
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

/** The messages of a socket that carries a sequence of JSON values. `bodyLimit` is the maximum number of bytes per request. */
function messagesOf(socket: Socket, bodyLimit: number, host: Host): MessageSocket {
  const values = new JsonValues()
  /** Ends the connection when all output is sent, or after a timeout. */
  const close = (): void => {
    socket.once(
      'close',
      host.schedule(CLOSE_TIMEOUT_MS, () => socket.destroy()),
    )
    socket.destroySoon()
  }
  /** Refuses a request that is too long and ends the connection, because the start of the next request is unknown. */
  const refuse = (): void => {
    socket.removeAllListeners('data')
    const message = `request exceeds the limit of ${bodyLimit} bytes`
    socket.write(`${refusalText({ status: 413, message })}\n`)
    close()
  }
  socket.on('data', (chunk) => {
    for (const value of values.take(chunk)) {
      if (Buffer.byteLength(value) > bodyLimit) return refuse()
      socket.emit('message', Buffer.from(value))
    }
    if (values.incompleteLength > bodyLimit) refuse()
  })
  return {
    get isPaused() {
      return socket.isPaused()
    },
    get bufferedAmount() {
      return socket.writableLength
    },
    on: (event: string, listener: (data: Buffer) => void) => socket.on(event, listener),
    send: (text, { fin }, sent) => void socket.write(fin ? `${text}\n` : text, () => sent()),
    // A local socket needs no pings, because the operating system reports the end of the other process.
    ping: () => void socket.emit('pong'),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    terminate: () => void socket.destroy(),
    close,
  }
}
