/** Connects to remotes over https, directly or by a tunnel (RFC 9110 9.3.6) through the environment's HTTP proxy. */

import { request as httpRequest, type ClientRequest } from 'node:http'
import { Agent, request as httpsRequest, type AgentOptions, type RequestOptions } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { trouble } from '../base/errors.ts'
import { shownUrl } from '../base/shown-url.ts'
import { basicAuthorization } from './remote-address.ts'
import { KnownFault, lasting, spanText, transient, type TransportSettings } from './transport.ts'

/**
 * Makes the function that sends a request over https. @throws NodeError 'invalidOption' for a variable that is not the URL of an
 * HTTP proxy
 */
export function httpsClient(settings: TransportSettings, options: AgentOptions) {
  const proxy = proxyFor(settings.url, settings.host.env ?? {})
  const agent = proxy === undefined ? new Agent(options) : new TunnelAgent(proxy, settings, options)
  return { request: httpsRequest, agent }
}

type Variables = Readonly<Record<string, string | undefined>>

/** A variable in lower or upper case. As in curl and Node, lower case wins. An empty variable counts as absent. */
const read = (env: Variables, name: string): string =>
  [env[name], env[name.toUpperCase()]].map((value) => value?.trim() ?? '').find((value) => value !== '') ?? ''

/**
 * The proxy for an https URL: HTTPS_PROXY, unless NO_PROXY lists the host or it is this machine. @throws NodeError 'invalidOption'
 * for a variable that is not the URL of an HTTP proxy
 */
export function proxyFor(url: URL, env: Variables): URL | undefined {
  const text = read(env, 'https_proxy')
  if (text === '' || isExcluded(url, `${LOCAL} ${read(env, 'no_proxy')}`)) return undefined
  const address = text.includes('://') ? text : `http://${text}`
  const proxy = URL.canParse(address) ? new URL(address) : undefined
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) return proxy
  const expected = 'expected the URL of a proxy with http:// or https://'
  throw trouble('DN-VALUE', `HTTPS_PROXY: ${expected}, got ${shownUrl(address)}`)
}

const LOCAL = 'localhost 127.0.0.1 ::1'

/**
 * Whether a list separated by commas or spaces contains the host. It may contain addresses and names, which include subdomains,
 * with or without a port.
 */
function isExcluded(url: URL, list: string): boolean {
  const host = withoutBrackets(url.hostname)
  const usedPort = url.port || '443'
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, named = entry, port = usedPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? []
      const name = withoutBrackets(named).replace(/^\*?\./, '')
      const isNamed = name === '*' || host === name || (name !== '' && host.endsWith(`.${name}`))
      return port === usedPort && isNamed
    })
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

class TunnelAgent extends Agent {
  readonly #proxy: URL
  readonly #settings: TransportSettings
  readonly #closing = new AbortController()

  constructor(proxy: URL, settings: TransportSettings, options: AgentOptions) {
    super(options)
    this.#proxy = proxy
    this.#settings = settings
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const { timeoutMs, host } = this.#settings
    const request = this.#connect()
    const cancelTimer = host.schedule(timeoutMs, () =>
      request.destroy(this.#fault(`did not answer within ${spanText(timeoutMs)}`, true)),
    )
    request.once('close', cancelTimer)
    // Nobody reads the stream after an error.
    const fail = (error: Error): void => callback?.(error, new Socket())
    request.once('error', (error: NodeJS.ErrnoException) => {
      const { code = error.message } = error
      const problem = code === 'ECONNREFUSED' ? 'refused the connection' : `failed: ${code}`
      fail(error instanceof KnownFault ? error : this.#fault(problem, code !== 'ENOTFOUND'))
    })
    request.once('connect', ({ statusCode = 0 }, socket) => {
      const through = { ...options, socket }
      if (statusCode >= 200 && statusCode < 300)
        return callback?.(null, super.createConnection(through) ?? new Socket())
      socket.destroy()
      const advice = statusCode === 407 ? ': it expects a name and a password in its URL' : ''
      fail(this.#fault(`answered with HTTP ${statusCode}${advice}`, statusCode >= 500))
    })
    request.end()
    return undefined
  }

  override destroy(): void {
    this.#closing.abort()
    super.destroy()
  }

  #connect(): ClientRequest {
    const { hostname, port } = this.#settings.url
    const path = `${hostname}:${port || '443'}`
    const send = this.#proxy.protocol === 'https:' ? httpsRequest : httpRequest
    const authorization = basicAuthorization(this.#proxy)
    return send({
      host: withoutBrackets(this.#proxy.hostname),
      port: this.#proxy.port,
      method: 'CONNECT',
      path,
      headers: { host: path, ...(authorization && { 'proxy-authorization': authorization }) },
      agent: false,
      signal: this.#closing.signal,
    })
  }

  /** The proxy did not make the connection, which is not the remote's fault. `problem` ends a sentence about the proxy. */
  #fault(problem: string, isTransient: boolean): KnownFault {
    const describe = (method: string): string =>
      `cannot be reached for ${method}: the proxy ${shownUrl(this.#proxy.href)} ${problem}`
    return new KnownFault(isTransient ? transient(describe) : lasting(describe))
  }
}
