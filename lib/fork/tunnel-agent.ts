/** Connections to https remotes through an HTTP proxy, which makes a tunnel (CONNECT, RFC 9110 9.3.6). It is loaded for a proxy only. */

import { request as httpRequest, type ClientRequest } from 'node:http'
import { Agent, request as httpsRequest, type AgentOptions, type RequestOptions } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Host } from '../base/host.ts'
import { ProxyError, withoutBrackets } from './proxy.ts'
import { basicAuthorization } from './remote-address.ts'
import { spanText } from './transport.ts'

interface Tunnel {
  readonly proxy: URL
  /** Of the remote. */
  readonly url: URL
  readonly timeoutMs: number
  readonly host: Host
}

/** An agent whose connections go through a proxy. */
export class TunnelAgent extends Agent {
  readonly #tunnel: Tunnel
  readonly #closing = new AbortController()

  constructor(tunnel: Tunnel, options: AgentOptions) {
    super(options)
    this.#tunnel = tunnel
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const { proxy, timeoutMs, host } = this.#tunnel
    const request = this.#connect()
    const settle = (error: ProxyError | null, socket: Duplex | null | undefined): void => {
      cancelTimer()
      // Nobody reads the stream beside an error.
      callback?.(error, socket ?? new Socket())
    }
    const cancelTimer = host.schedule(timeoutMs, () => {
      request.destroy(new ProxyError(proxy, `did not answer within ${spanText(timeoutMs)}`, true))
    })
    request.once('connect', ({ statusCode = 0 }, socket) => {
      const through = { ...options, socket }
      if (statusCode >= 200 && statusCode < 300) return settle(null, super.createConnection(through))
      socket.destroy()
      const advice = statusCode === 407 ? ': it expects a name and a password in its URL' : ''
      const problem = `answered with HTTP ${statusCode}${advice}`
      settle(new ProxyError(proxy, problem, statusCode >= 500), undefined)
    })
    request.once('error', (error) => settle(errorOf(proxy, error), undefined))
    request.end()
    return undefined
  }

  override destroy(): void {
    this.#closing.abort()
    super.destroy()
  }

  #connect(): ClientRequest {
    const { proxy, url } = this.#tunnel
    const path = `${url.hostname}:${url.port || '443'}`
    const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest
    const authorization = basicAuthorization(proxy)
    return send({
      host: withoutBrackets(proxy.hostname),
      port: proxy.port,
      method: 'CONNECT',
      path,
      headers: { host: path, ...(authorization && { 'proxy-authorization': authorization }) },
      agent: false,
      signal: this.#closing.signal,
    })
  }
}

function errorOf(proxy: URL, error: NodeJS.ErrnoException): ProxyError {
  if (error instanceof ProxyError) return error
  const { code = error.message } = error
  const problem = code === 'ECONNREFUSED' ? 'refused the connection' : `failed: ${code}`
  return new ProxyError(proxy, problem, code !== 'ENOTFOUND')
}
