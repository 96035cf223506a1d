/** Starts real servers on free ports, and sends requests down to the bytes on the socket. */

import { request as httpRequest } from 'node:http'
import type { Agent, IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import type { NodeHooks } from '../../lib/config/request-log.ts'
import type { RunningServer } from '../../lib/server/start.ts'

/** Runs a test against a new server and closes it. Internal errors of the server fail the test. */
export async function withServer(
  options: OptionsInput,
  run: (server: RunningServer) => Promise<void>,
  hooks: NodeHooks = {},
): Promise<void> {
  const faults: unknown[] = []
  const values = { frozenTime: true, port: 0, ...options }
  const server = await startWithOptions(resolveOptions({ values }), {
    onFault: (error) => faults.push(error),
    ...hooks,
  })
  try {
    await run(server)
  } finally {
    await server.close()
  }
  if (faults.length > 0) throw new AggregateError(faults, `the server reported ${String(faults[0])}`)
}

/** A raw response. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

/** Parts of a request; missing parts are those of a client library. */
export interface Ask {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly agent?: Agent
  /** Address that the client has; an address other than the server's stands for another machine. */
  readonly localAddress?: string
}

/** An address of Linux's loopback network that no server here has. */
export const ELSEWHERE = '127.0.0.2'

/** Sends one request; by default POST with a JSON content type. */
export function ask(server: { readonly port: number }, what: Ask = {}): Promise<Reply> {
  const { method = 'POST', path = '/', headers = {}, body, agent, localAddress } = what
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = method === 'POST' ? { 'content-type': 'application/json', ...length } : length
    const request = httpRequest(
      {
        port: server.port,
        host: '127.0.0.1',
        localAddress,
        method,
        path,
        agent,
        headers: { ...sent, ...headers },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const { statusCode = 0, headers: answered } = response
          resolve({ status: statusCode, headers: answered, bytes, text: bytes.toString('utf8') })
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** The text of a JSON-RPC request. */
export function rpc(method: string, params: unknown = [], id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** Opens a bare socket. */
export function openSocket({ port }: { readonly port: number }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Writes bytes; returns everything received until the server closes or the expected text has arrived. */
export async function exchange(
  server: { readonly port: number },
  bytes: string | Buffer,
  until?: RegExp,
): Promise<string> {
  const socket = await openSocket(server)
  return new Promise((resolve) => {
    let received = ''
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      if (until?.test(received)) socket.destroy()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(received))
    socket.write(bytes)
  })
}

/** The parsed response to a request. */
export async function answerOf(url: string, method: string, params: readonly unknown[]): Promise<any> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: rpc(method, params) })
  return response.json()
}
