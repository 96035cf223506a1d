/** An HTTP proxy on this machine that knows names which no DNS has, and an HTTPS server with a certificate of its own. */

import { createServer, request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const TLS = join(import.meta.dirname, '..', '..', 'fixtures', 'tls')

/** The certificate of https://remote.test, valid for 100 years, for NODE_EXTRA_CA_CERTS. */
export const CERTIFICATE = join(TLS, 'remote.test.pem')

/** What a proxy was asked. */
interface Visit {
  readonly method: string
  /** The host and port of a tunnel, or a whole URL. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

/** A running proxy. */
export interface TestProxy {
  readonly host: string
  readonly visits: readonly Visit[]
}

/** How a proxy answers: it connects, refuses with a status, or never answers. */
type Manner = 'connect' | 'silence' | number

/** Runs a test with a proxy that sends every request and every tunnel to a port of this machine. */
export async function withProxy(
  targetPort: number,
  manner: Manner,
  run: (proxy: TestProxy) => Promise<void>,
): Promise<void> {
  const visits: Visit[] = []
  const server = createServer((request, response) => {
    visit(request)
    if (typeof manner === 'number') return void response.writeHead(manner).end()
    if (manner === 'connect') forward(request, response, targetPort)
  })
  const visit = ({ method = '', url = '', headers }: IncomingMessage) =>
    visits.push({ method, target: url, headers })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    visit(request)
    socket.on('error', () => undefined)
    if (manner === 'silence') return
    if (typeof manner === 'number') return void socket.end(`HTTP/1.1 ${manner} No\r\n\r\n`)
    const target = connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    target.on('error', () => socket.destroy())
    socket.on('close', () => target.destroy())
  })
  await listening(server, (host) => run({ host, visits }))
}

/** Runs a test with an HTTPS server of the name remote.test in front of a port. */
export const withTls = (targetPort: number, run: (port: number) => Promise<void>): Promise<void> => {
  const identity = { key: readFileSync(join(TLS, 'remote.test.key.pem')), cert: readFileSync(CERTIFICATE) }
  const server = createTlsServer(identity, (request, response) => forward(request, response, targetPort))
  return listening(server, (host) => run(Number(host.split(':')[1])))
}

function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, headers } = request
  const path = new URL(request.url ?? '/', 'http://remote.test').pathname
  const sent = httpRequest({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { ...headers, host: '127.0.0.1' },
  })
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers)
    answer.pipe(response)
  })
  request.pipe(sent)
}

async function listening(server: Server | NetServer, run: (host: string) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run(`127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
}
