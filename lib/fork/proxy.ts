/** Chooses the HTTP proxy of a remote by the variables of the environment. The connection through it is in tunnel-agent.ts. */

import { NodeError } from '../base/errors.ts'
import { shownUrl } from '../base/shown-url.ts'
import { lasting, transient, type RemoteFault } from './transport.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** A variable in lower or upper case. As in curl and Node, the lower case wins. An empty one counts as absent. */
const read = (env: Variables, name: string): string =>
  [env[name], env[name.toUpperCase()]].map((value) => value?.trim() ?? '').find((value) => value !== '') ?? ''

/**
 * The proxy for an https URL: that of HTTPS_PROXY, unless NO_PROXY names the host. This machine has none.
 * @throws NodeError 'invalidOption' for a variable that is no URL of an HTTP proxy
 */
export function proxyFor(url: URL, env: Variables): URL | undefined {
  const text = read(env, 'https_proxy')
  if (text === '' || isExcluded(url, `${LOCAL} ${read(env, 'no_proxy')}`)) return undefined
  const given = text.includes('://') ? text : `http://${text}`
  const proxy = URL.canParse(given) ? new URL(given) : undefined
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) return proxy
  const expected = 'expected the URL of a proxy with http:// or https://'
  throw new NodeError('invalidOption', `HTTPS_PROXY: ${expected}, got ${shownUrl(given)}`)
}

const LOCAL = 'localhost 127.0.0.1 ::1'

/** The proxy did not make the connection. It is not the fault of the remote. */
export class ProxyError extends Error {
  readonly fault: RemoteFault

  /** `problem` is the end of a sentence about the proxy. */
  constructor(proxy: URL, problem: string, isTransient: boolean) {
    super(problem)
    const describe = (method: string): string =>
      `cannot be reached for ${method}: the proxy ${shownUrl(proxy.href)} ${problem}`
    this.fault = isTransient ? transient(describe) : lasting(describe)
  }
}

/** Whether a list with commas or spaces has the host: names, also of its domains, and addresses, each with or without a port. */
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

/** A host without the brackets of an IPv6 address. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')
