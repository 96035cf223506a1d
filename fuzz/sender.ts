/** Sends exchanges to the node, waits for the answers and checks them. */

import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { checkAnswer, checkBytes } from './answers.ts'
import type { Bytes, Exchange, Message } from './exchange.ts'
import { BrokenLaw } from './node-client.ts'
import { LineSocket } from './line-socket.ts'
import type { NodeClient } from './node-client.ts'

/** Pause between the pieces of slow clients. */
const PIECE_PAUSE_MS = 3

/** How long a client that does not read stays. */
const HANG_UP_AFTER_MS = 20

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Connections to a node that stay open. */
export class Sender {
  readonly #node: NodeClient
  readonly #ipcPath: string | undefined
  readonly #timeoutMs: number
  #webSocket: WebSocket | undefined
  #lines: LineSocket | undefined

  constructor(node: NodeClient, ipcPath: string | undefined, timeoutMs: number) {
    this.#node = node
    this.#ipcPath = ipcPath
    this.#timeoutMs = timeoutMs
  }

  /** Sends an exchange; the answer as text. @throws BrokenLaw */
  async send(exchange: Exchange): Promise<string> {
    if (exchange.via === 'bytes') return this.#sendBytes(exchange)
    const answer = await this.#answerTo(exchange)
    if (answer === undefined) {
      await this.#node.checkLater()
      throw new BrokenLaw('no request without an answer', `nothing came within ${this.#timeoutMs} ms`)
    }
    try {
      checkAnswer(answer, exchange)
    } catch (error) {
      // The process tells the cause of an internal error, of which the answer has only a reference.
      await this.#node.checkLater()
      throw error
    }
    return answer
  }

  #answerTo({ via, path, text, ids }: Message): Promise<string | undefined> {
    if (via === 'http') return this.#node.post(path, text, this.#timeoutMs)
    // Nothing tells the end of a text without an answer on a socket, so a request with one follows.
    const isSilent = ids?.length === 0
    if (via === 'websocket') return this.#overWebSocket(path, text, isSilent)
    return this.#overIpc(text, isSilent)
  }

  async #overWebSocket(path: string, text: string, isSilent: boolean): Promise<string | undefined> {
    const socket = await this.#openWebSocket(path)
    const answer = new Promise<string | undefined>((resolve) => {
      const closed = (): void => end(undefined)
      const end = (value: string | undefined): void => {
        clearTimeout(timer)
        socket.off('message', listener)
        socket.off('close', closed)
        resolve(value)
      }
      const listener = (data: Buffer): void => {
        const received = data.toString('utf8')
        if (!isNotification(received)) end(isSilent ? '' : received)
      }
      const timer = setTimeout(() => end(undefined), this.#timeoutMs)
      socket.on('message', listener)
      socket.once('close', closed)
    })
    socket.send(text)
    if (isSilent) socket.send(MARK)
    return answer
  }

  async #openWebSocket(path: string): Promise<WebSocket> {
    if (this.#webSocket?.readyState === 1) return this.#webSocket
    const socket = this.#node.openWebSocket(path)
    this.#webSocket = socket
    socket.on('error', () => undefined)
    await new Promise<void>((resolve) => {
      socket.once('open', resolve)
      socket.once('close', resolve)
    })
    return socket
  }

  async #overIpc(text: string, isSilent: boolean): Promise<string | undefined> {
    if (this.#ipcPath === undefined) return this.#node.post('/', text, this.#timeoutMs)
    if (this.#lines?.isOpen !== true) this.#lines = new LineSocket(connect(this.#ipcPath))
    this.#lines.write(isSilent ? `${text}\n${MARK}\n` : `${text}\n`)
    const line = await this.#lines.next((each) => !isNotification(each), this.#timeoutMs)
    return isSilent && line !== undefined ? '' : line
  }

  /** Bytes on a bare socket. */
  async #sendBytes({ text, pieces, then, expects }: Bytes): Promise<string> {
    const socket = this.#node.open()
    const received = this.#answerOn(socket, expects)
    await write(socket, Buffer.from(text, 'latin1'), pieces)
    if (then === 'half-close') socket.end()
    if (then === 'hang up') {
      socket.pause()
      await pause(HANG_UP_AFTER_MS)
      socket.destroy()
      return ''
    }
    const answer = await received
    socket.destroy()
    if (answer === undefined || (answer === '' && expects === 'an answer')) {
      await this.#node.checkLater()
      throw new BrokenLaw(
        'no request without an answer',
        `nothing came on the socket, answer ${String(answer)}`,
      )
    }
    checkBytes(answer)
    return answer
  }

  /** The beginning of the answer; empty if the server closed, undefined if it did nothing. */
  #answerOn(socket: Socket, expects: Bytes['expects']): Promise<string | undefined> {
    return new Promise((resolve) => {
      let received = ''
      const timer = setTimeout(() => resolve(expects === 'nothing' ? '' : undefined), this.#timeoutMs)
      const end = (): void => {
        clearTimeout(timer)
        resolve(received)
      }
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1')
        if (isWhole(received)) end()
      })
      socket.on('error', end)
      socket.on('close', end)
    })
  }

  /** Ends the connections. */
  close(): void {
    this.#webSocket?.terminate()
    this.#lines?.close()
  }
}

/** The id of the request that marks the end of answers. */
const MARK = '{"jsonrpc":"2.0","id":"mark","method":"eth_chainId"}'

const isNotification = (text: string): boolean => text.startsWith('{"jsonrpc":"2.0","method":')

/** Whether an answer over HTTP is whole; one of an upgrade is whole after the close. */
function isWhole(bytes: string): boolean {
  const received = bytes.replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '')
  const length = /^content-length: (\d+)\r?$/im.exec(received)?.[1]
  const end = received.indexOf('\r\n\r\n')
  if (end < 0 || received.startsWith('HTTP/1.1 101')) return false
  if (/^HTTP\/1.1 (204|304)/.test(received)) return true
  return length === undefined
    ? received.includes('\r\n0\r\n\r\n')
    : received.length >= end + 4 + Number(length)
}

async function write(socket: Socket, bytes: Buffer, pieces: number): Promise<void> {
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  const size = Math.max(1, Math.ceil(bytes.length / pieces))
  for (let at = 0; at < bytes.length && !socket.destroyed; at += size) {
    socket.write(bytes.subarray(at, at + size))
    if (pieces > 1) await pause(PIECE_PAUSE_MS)
  }
}
