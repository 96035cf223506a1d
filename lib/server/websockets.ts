/** Serves WebSockets on the HTTP port: upgrades, pings, and the shutdown. */

import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { lazyPart } from '../base/lazy-part.ts'
import { INVALID_PATH, callerRefusal, requestedChainOf, targetOf } from './admission.ts'
import type { ChainLease, Refusal } from './admission.ts'
import { CLOSE_TIMEOUT_MS, createConnections, type SocketDependencies } from './connections.ts'
import { failureOf, refusalText } from './respond.ts'

/** Time between two pings, in milliseconds. */
const CHECK_MS = 30_000

export type Sockets = ReturnType<typeof createSockets>

export function createSockets(dependencies: SocketDependencies) {
  const { options, host, onFault } = dependencies
  const connections = createConnections(dependencies)
  const load = lazyServer(options.bodyLimit)
  let cancelCheck: (() => void) | undefined
  let isClosed = false

  const scheduleCheck = (): (() => void) =>
    host.schedule(CHECK_MS, () => {
      for (const connection of connections.all.keys()) connection.checkAlive()
      cancelCheck = connections.all.size === 0 ? undefined : scheduleCheck()
    })

  const begin = async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> => {
    let end = (): void => void stream.destroy()
    // The world of the connection may be deleted before and after the handshake.
    const lease = admit(request, dependencies, () => end())
    if ('status' in lease) return refuseUpgrade(stream, lease)
    stream.once('close', lease.release)
    const server = await load()
    if (isClosed) return void stream.destroy()
    server.handleUpgrade(request, stream, head, (socket) => {
      const connection = connections.open(socket, lease)
      end = () => connection.close('the world was deleted')
      cancelCheck ??= scheduleCheck()
    })
  }

  return {
    get size(): number {
      return connections.all.size
    },
    /** Takes a connection over from HTTP, or refuses it with an HTTP response. */
    upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
      // Until the handshake is over, this is the only listener. An error without a listener would end the process.
      stream.on('error', () => stream.destroy())
      begin(request, stream, head).catch((error: unknown) => refuseUpgrade(stream, failureOf(error, onFault)))
    },
    /** Ends every connection, within a second. */
    async close(): Promise<void> {
      isClosed = true
      cancelCheck?.()
      await connections.close('the node is closing')
    },
  }
}

/** The library is loaded at the first upgrade, because most runs never need it. */
const lazyServer = (maxPayload: number) =>
  lazyPart('ws', async () => {
    const { WebSocketServer } = await import('ws')
    const settings = { clientTracking: false, maxPayload, closeTimeout: CLOSE_TIMEOUT_MS }
    return new WebSocketServer({ ...settings, noServer: true })
  })

function admit(
  request: IncomingMessage,
  { options, acquireChain }: SocketDependencies,
  whenDeleted: () => void,
): Refusal | ChainLease {
  const refusal = callerRefusal(request, options)
  if (refusal !== undefined) return refusal
  const target = targetOf(request)
  if (target === undefined) return INVALID_PATH
  return acquireChain(requestedChainOf(target, options), whenDeleted)
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
