/** WebSocket clients that send requests and record received messages in order. */

import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { allMethods } from '../../scripts/all-methods.ts'
import { RequestHistory } from '../../lib/rpc/request-history.ts'
import { chainsOf } from '../../lib/server/admission.ts'
import { listen } from '../../lib/server/listen.ts'
import { createSockets, type Sockets } from '../../lib/server/websockets.ts'
import { ManualHost, freshNode } from './node.ts'
import { openSocket, rpc } from './server.ts'

/** A WebSocket server with a stopped clock, whose node the test can access. */
export interface OpenSockets {
  readonly port: number
  readonly node: Node
  readonly sockets: Sockets
  readonly host: ManualHost
}

/** Runs a test against a new WebSocket server. Internal errors of the server fail the test. */
export async function withSockets(
  given: OptionsInput,
  run: (open: OpenSockets) => Promise<void>,
): Promise<void> {
  const host = new ManualHost()
  const node = await freshNode(given, host)
  const { options } = node
  const faults: unknown[] = []
  const dispatch = {
    registry: allMethods,
    batchLimit: options.batchLimit,
    answerLimit: options.answerLimit,
    history: new RequestHistory({ now: () => 0, elapsed: () => 0 }),
    now: () => 0,
    onFault: (error: unknown) => faults.push(error),
  }
  const acquireChain = chainsOf(node, dispatch)
  const { onFault } = dispatch
  const sockets = createSockets({ acquireChain, options, host, onFault })
  const answering = { handler: () => undefined, upgrade: sockets.upgrade }
  const { port, close } = await listen(answering, { host: '127.0.0.1', port: 0 })
  try {
    await run({ port, node, sockets, host })
  } finally {
    await Promise.all([sockets.close(), close()])
  }
  if (faults.length > 0) throw new AggregateError(faults, `the sockets reported ${String(faults[0])}`)
}

/** A received message, parsed. */
export type Message = any

/** A connected client. */
export interface SocketClient {
  readonly socket: WebSocket
  /** All messages received so far. */
  readonly heard: readonly Message[]
  /** Sends a request and returns its result; throws its error. */
  readonly call: (method: string, params?: readonly unknown[]) => Promise<any>
  /** Sends a raw text. */
  readonly send: (text: string) => void
  /** The first received or future message that matches. */
  readonly first: (fits: (message: Message) => boolean) => Promise<Message>
  /** Results of a subscription in order, as soon as it has the given number. */
  readonly told: (subscription: string, count: number) => Promise<readonly any[]>
  /** Code and reason of the close frame. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/** Connects a client. Rejects with the server's response if the server rejects the upgrade. */
export function connectSocket(
  { port }: { readonly port: number },
  { path = '/', headers = {} }: { readonly path?: string; readonly headers?: Record<string, string> } = {},
): Promise<SocketClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
  const heard: Message[] = []
  const listeners = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    heard.push(JSON.parse(data.toString('utf8')))
    for (const listener of listeners) listener()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  /** Waits until the search finds a value. */
  const eventually = <T>(find: () => T | undefined) =>
    new Promise<T>((resolve) => {
      const look = () => {
        const found = find()
        if (found === undefined) return
        listeners.delete(look)
        resolve(found)
      }
      listeners.add(look)
      look()
    })
  let lastId = 0
  const client: SocketClient = {
    socket,
    heard,
    closed,
    send: (text) => socket.send(text),
    first: (fits) => eventually(() => heard.find(fits)),
    told: (subscription, count) =>
      eventually(() => {
        const results = heard
          .filter(({ params }) => params?.subscription === subscription)
          .map(({ params }) => params.result)
        return results.length >= count ? results : undefined
      }),
    call: async (method, params = []) => {
      const id = `call ${++lastId}`
      socket.send(rpc(method, params, id))
      const { result, error } = await client.first((message) => message.id === id)
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
  }
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(client))
    socket.once('error', reject)
  })
}

/** The head of an upgrade request; headers can be replaced, or omitted by an empty text. */
export function upgradeRequest(path = '/', headers: Readonly<Record<string, string>> = {}): string {
  const all = {
    Host: 'localhost',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }
  const lines = Object.entries(all).filter(([, value]) => value !== '')
  return `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

/** A short text frame of a client, its mask all zeros (RFC 6455, section 5.2). */
export function frame(text: string): Buffer {
  const payload = Buffer.from(text)
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 255]
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload])
}

/** A bare socket that does not read after the WebSocket handshake. */
export async function openDeafSocket(server: { readonly port: number }): Promise<Socket> {
  const socket = await openSocket(server)
  const shaken = new Promise<void>((resolve) => {
    socket.once('data', () => {
      socket.pause()
      resolve()
    })
  })
  socket.write(upgradeRequest())
  await shaken
  return socket
}
