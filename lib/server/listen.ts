/** Listens on a port for HTTP and WebSocket. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Server as SocketServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { NodeError, trouble } from '../base/errors.ts'
import { ALL_INTERFACES } from '../config/service-options.ts'
import type { NodeHooks } from '../config/request-log.ts'
import { invariant } from '../base/invariant.ts'
import { codeOf, reasonOf } from '../base/system-errors.ts'

/** Handlers of requests, upgrades and errors. */
export interface ServerHandlers extends Pick<NodeHooks, 'onFault'> {
  readonly handler: RequestListener
  /** Takes over a connection whose request asks for an upgrade to WebSocket. */
  readonly upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) => void
}

/**
 * Listens on an address (`host`) or every interface, and a port; port 0 means any free port. `close` stops accepting connections,
 * closes open ones, and resolves when the port is free. `unref` lets the process end while it is open; call it before there are
 * connections. @throws NodeError 'addressInUse'; 'invalidOption' if the address or the port cannot be used for another reason
 */
export async function listen(
  { handler, upgrade, onFault }: ServerHandlers,
  { host, port }: { readonly host: string; readonly port: number },
) {
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, shouldUpgradeCallback: isForWebSocket }
  const server = createServer(options, handler)
  // A client may close its half after the request. Node would end the connection before an answer that takes a moment; it has
  // no option against that but this member of the server (node, lib/_http_server.js, socketOnEnd).
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('upgrade', (request, stream, head) => {
    if (isForWebSocket(request)) upgrade(request, stream, head)
    else serveWithoutUpgrade(server, { request, stream, head })
  })
  // Without an address Node listens on every interface, only on IPv4 if the machine has no IPv6.
  server.listen({ port, ...(host === ALL_INTERFACES ? {} : { host }) })
  await whenListening(server, onFault).catch((cause: unknown) => {
    if (codeOf(cause) === 'EADDRINUSE')
      throw new NodeError(
        'addressInUse',
        `port ${port} of ${host} is already in use: choose another, or 0 for any that is free`,
        { cause },
      )
    throw trouble('DN-LISTEN', `cannot listen on ${host}:${port}: ${reasonOf(cause)}`, cause)
  })
  const address = server.address()
  invariant(typeof address === 'object' && address !== null, 'a listening server has an address')
  return { port: address.port, close: () => closeServer(server), unref: () => unref(server) }
}

/** Waits until a server listens. Later it keeps running even if a connection cannot be accepted for lack of file descriptors. */
export async function whenListening(server: SocketServer, onFault: NodeHooks['onFault']): Promise<void> {
  await once(server, 'listening')
  server.on('error', (error) => onFault?.(error))
}

/** A browser or debugger that stays connected does not keep the process alive either. */
function unref(server: Server): void {
  server.unref()
  server.on('connection', (socket) => socket.unref())
}

/** Milliseconds that an idle connection stays open. Test suites pause longer than Node's default of five seconds. */
const KEEP_ALIVE_MS = 65_000

/** Whether a request asks for an upgrade to WebSocket. Upgrades to other protocols, such as h2c, are ignored (RFC 9110, 7.8). */
const isForWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Handles a request as if it did not ask for an upgrade. Node before 24.9, which has no `shouldUpgradeCallback`, has detached the
 * connection from HTTP. This function attaches it again, with the request as its first bytes.
 */
function serveWithoutUpgrade(
  server: Server,
  upgrade: { readonly request: IncomingMessage; readonly stream: Duplex; readonly head: Buffer },
): void {
  const { request, stream, head } = upgrade
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!UPGRADE_HEADERS.test(name)) lines.push(`${name}: ${rawHeaders[index + 1] ?? ''}`)
  }
  stream.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', stream)
}

/** Upgrade headers to remove: Upgrade, HTTP2-Settings, and Connection, which lists them. */
const UPGRADE_HEADERS = /^(upgrade|connection|http2-settings)$/i

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
