/** Settings of a remote node: URL and headers of the connection, and the removal of their secrets from texts. */

import type { Options } from '../config/options.ts'

export interface RemoteSettings {
  /** URL with the scheme http or https. */
  readonly url: string
  /** Headers in the form `name: value`. */
  readonly headers: readonly string[]
  readonly timeoutMs: number
  readonly retries: number
  /** JSON-RPC requests per second; 0 is no limit. */
  readonly rate: number
  /** Maximum JSON-RPC requests of a message. */
  readonly batch: number
}

/** The settings of the remotes in the options; empty without a fork. All share the same headers and limits. */
export function remoteSettingsOf(options: Options): readonly RemoteSettings[] {
  const { forkUrl: urls = [], forkHeaders: headers = [] } = options
  const { forkTimeout: timeoutMs, forkRetries: retries, forkRate: rate, forkBatch: batch } = options
  return urls.map((url) => ({ url, headers, timeoutMs, retries, rate, batch }))
}

/** The client's name. Some providers refuse requests without this header. */
const USER_AGENT = 'dev-node'

/** The URL without credentials, and the headers with them. A given header has precedence over credentials and the client's name. */
export function connectionOf({ url, headers }: RemoteSettings) {
  const address = new URL(url)
  const credentials = basicAuthorization(address)
  address.username = ''
  address.password = ''
  address.hash = ''
  const values = new Map<string, string[]>()
  for (const header of headers) {
    const [name, value] = splitHeader(header)
    values.set(name, [...(values.get(name) ?? []), value])
  }
  if (credentials !== undefined && !values.has('authorization')) values.set('authorization', [credentials])
  if (!values.has('user-agent')) values.set('user-agent', [USER_AGENT])
  const single = [...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all] as const)
  return { url: address, headers: Object.fromEntries(single) }
}

/** The header `authorization` with the credentials of a URL, if it has some (RFC 7617). */
export const basicAuthorization = (url: URL): string | undefined =>
  url.username === '' && url.password === '' ? undefined : `Basic ${basicCredentials(url)}`

const basicCredentials = ({ username, password }: URL): string =>
  Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')

function splitHeader(header: string): readonly [name: string, value: string] {
  const colon = header.indexOf(':')
  return [header.slice(0, colon).trim().toLowerCase(), header.slice(colon + 1).trim()]
}

/** Shorter texts do not count as secrets, because many texts contain them by chance. */
const MIN_SECRET = 6

/** Returns a function that hides an address's secrets in a text: a remote may repeat them in an error. */
export function hideSecrets({ url, headers }: RemoteSettings): (text: string) => string {
  const address = new URL(url)
  const { username, password, pathname, searchParams } = address
  const inHeaders = headers.map(splitHeader).flatMap(([, value]) => [value, ...value.split(/\s+/)])
  const inUrl = [username, password, ...pathname.split('/'), ...searchParams.values()]
  inUrl.push(basicCredentials(address))
  const secrets = [...inUrl, ...inUrl.map(decoded), ...inHeaders].filter((text) => text.length >= MIN_SECRET)
  secrets.sort((one, other) => other.length - one.length)
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text)
}

/** Decodes the percent signs in a part of a URL, as far as possible. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
