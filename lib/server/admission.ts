/**
 * Admits HTTP and WebSocket requests by Host, Origin and API key, reads their path and dialect, and finds their chain. Web pages
 * need permission to call the node, because it holds private keys.
 */

import type { IncomingMessage } from 'node:http'
import { NodeError } from '../base/errors.ts'
import { ALL_INTERFACES } from '../config/service-options.ts'
import type { Options } from '../config/options.ts'
import { DIALECTS, type Dialect } from '../config/dialect.ts'
import type { Node } from '../node/node.ts'
import { WORLD_ID_EXPECTED, isWorldId } from '../node/worlds/worlds.ts'
import { Dispatcher, type DispatchOptions } from '../rpc/dispatch.ts'
import { servedBy } from '../rpc/methods/all.ts'

type AccessOptions = Pick<Options, 'cors' | 'allowedHosts' | 'host'>

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** Whether the Host header names this machine or an allowed host. Other names may come from DNS rebinding. */
function isHostAllowed(header: string | undefined, options: AccessOptions): boolean {
  if (header === undefined || header === '') return true
  const host = hostName(header)
  if (LOCAL_HOSTS.has(host)) return true
  if (host === options.host.toLowerCase() && host !== ALL_INTERFACES) return true
  // The node is configured to listen for other machines, and DNS rebinding cannot use an IP address.
  if (isAddress(host) && !LOCAL_HOSTS.has(options.host)) return true
  return options.allowedHosts.some((allowed) => allowed === '*' || allowed.toLowerCase() === host)
}

/** Origins of browser extensions, such as wallets. Web pages cannot have them. */
const EXTENSIONS = new Set(['chrome-extension:', 'moz-extension:', 'safari-web-extension:'])

/** Whether a web page or extension with this origin may call. Requests without Origin come from programs. */
function isOriginAllowed(origin: string | undefined, options: AccessOptions): boolean {
  if (origin === undefined) return true
  if (options.cors.includes('*') || options.cors.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return EXTENSIONS.has(protocol) || LOCAL_HOSTS.has(hostname)
}

/**
 * Whether an origin is a page of the node itself, under a host that is allowed by name or address. Under a host that only `*`
 * allows it may be any page whose name DNS rebinding leads here.
 */
function isOwnOrigin(origin: string | undefined, host: string | undefined, options: AccessOptions): boolean {
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false
  const named = { ...options, allowedHosts: options.allowedHosts.filter((allowed) => allowed !== '*') }
  return new URL(origin).host === host.toLowerCase() && isHostAllowed(host, named)
}

function hostName(header: string): string {
  const host = header.toLowerCase()
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.replace(/:\d+$/, '')
}

const isAddress = (host: string): boolean => /^\d+(\.\d+){3}$/.test(host) || host.startsWith('[')

/** Why a request is refused. */
export interface Refusal {
  readonly status: number
  readonly message: string
}

/** The refusal of a caller whose Host or Origin is not allowed. */
export function callerRefusal(
  { headers }: Pick<IncomingMessage, 'headers'>,
  options: AccessOptions,
): Refusal | undefined {
  const { host, origin } = headers
  if (!isHostAllowed(host, options)) {
    return { status: 403, message: `host ${String(host)} is not allowed (--allowed-host)` }
  }
  if (!isOriginAllowed(origin, options) && !isOwnOrigin(origin, host, options)) {
    return { status: 403, message: `origin ${String(origin)} is not allowed (--cors)` }
  }
  return undefined
}

export interface RequestTarget {
  readonly pathname: string
  /** The dialect in the query; null without one. */
  readonly dialect: string | null
  /** `?faithful=false` asks a node that answers like another one for its own answers. */
  readonly isHelpful?: boolean
}

/** The target of a request; undefined if the path is invalid, such as `//`. */
export function targetOf({ url = '/' }: IncomingMessage): RequestTarget | undefined {
  if (PLAIN_PATH.test(url)) return { pathname: url, dialect: null }
  if (!URL.canParse(url, BASE)) return undefined
  const { pathname, searchParams } = new URL(url, BASE)
  const isHelpful = searchParams.get('faithful') === 'false'
  return { pathname, dialect: searchParams.get('dialect'), isHelpful }
}

/** Paths that are used without parsing a URL, because parsing takes longer than many methods. */
const PLAIN_PATH = /^(?:\/[\w-]+)*\/?$/

/** An arbitrary base for parsing; only path and query are used. */
const BASE = 'http://localhost'

/** The chain that a path selects, and the dialect in the query. */
export interface RequestedChain extends Pick<RequestTarget, 'isHelpful' | 'dialect'> {
  /** Id of the world; absent for the default chain. */
  readonly world: string | undefined
}

/** `/` or `/<API key>`, optionally followed by `/w/<id of a world>`, with or without a slash at the end. */
const PATH = /^\/(?:(?:([^/]+)\/)?w\/([^/]*)|([^/]*))\/?$/

/** The chain that a path selects, or the refusal of the path. */
export function requestedChainOf(
  { pathname, ...query }: RequestTarget,
  { apiKeys }: Options,
): RequestedChain | Refusal {
  const match = PATH.exec(pathname)
  if (match === null) return { status: 404, message: `no such path: ${pathname}` }
  const [, keyBeforeWorld, world, keyAlone] = match
  const key = keyAlone ?? keyBeforeWorld ?? ''
  // Without --api-key every key is accepted.
  if (apiKeys.length > 0 && (key === '' || !apiKeys.includes(key)))
    return { status: 401, message: 'unknown API key' }
  if (world === undefined || isWorldId(world)) return { world, ...query }
  return { status: 400, message: `no such path: expected ${WORLD_ID_EXPECTED}, got "${world}"` }
}

/** The refusal of a request without a target. */
export const INVALID_PATH: Refusal = { status: 400, message: 'the path is not that of a URL' }

/** The chain of a request or a connection, until `release` is called. */
export interface ChainLease {
  readonly node: Node
  readonly dispatch: DispatchOptions
  readonly dispatcher: Dispatcher
  /** The dialect that the request names, or the network's. */
  readonly dialect: Dialect
  /** Ends the use of the chain. Call it when the response is sent or the connection is closed. */
  readonly release: () => void
}

/** Begins to use a chain, and creates its world if necessary. Calls `whenDeleted` when the world is deleted. */
export type AcquireChain = (
  requested: RequestedChain | Refusal,
  whenDeleted?: () => void,
) => ChainLease | Refusal

export function chainsOf(node: Node, shared: DispatchOptions): AcquireChain {
  const lease = (chain: Node, { world, isHelpful }: Partial<RequestedChain>, release: () => void) => {
    const dispatch = { ...shared, world, ...servedBy(chain, isHelpful) }
    return { node: chain, dispatch, dispatcher: new Dispatcher(chain, dispatch), release }
  }
  const own = lease(node, {}, () => undefined)
  const helpful = lease(node, { isHelpful: true }, () => undefined)
  const begin = (requested: RequestedChain, whenDeleted?: () => void) => {
    const { world, isHelpful = false } = requested
    if (world === undefined) return isHelpful ? helpful : own
    const { chain, release } = node.worlds.acquire(world, whenDeleted)
    return lease(chain, requested, release)
  }
  return (requested, whenDeleted) => {
    if ('status' in requested) return requested
    const { isHelpful = false, dialect: asked } = requested
    // A node that answers like another one ignores a dialect in the query.
    const isIgnored = asked === null || (node.modules.front(node.network.kind) !== undefined && !isHelpful)
    const named = isIgnored ? undefined : DIALECTS.find((dialect) => dialect === asked)
    if (!isIgnored && named === undefined)
      return { status: 400, message: `dialect must be one of ${DIALECTS.join(', ')}` }
    try {
      const begun = begin(requested, whenDeleted)
      return { ...begun, dialect: named ?? begun.node.network.dialect }
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      // With this status a client does not retry.
      return { status: error.kind === 'limitExceeded' ? 409 : 400, message: error.message }
    }
  }
}
