/** Admits HTTP and WebSocket requests by Host, Origin and API key, and reads their path and dialect. The node holds private keys, so web pages need permission to call it. */

import type { IncomingMessage } from 'node:http'
import { ALL_INTERFACES } from '../config/interfaces.ts'
import type { Options } from '../config/options.ts'
import { DIALECTS, type Dialect } from '../config/dialect.ts'
import { WORLD_ID_EXPECTED, isWorldId } from '../node/worlds/worlds.ts'

type AccessOptions = Pick<Options, 'cors' | 'allowedHosts' | 'host'>

/** Names of the local machine in a browser. */
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** Whether the Host header names this machine or an allowed host. Another name can come from DNS rebinding. */
function isHostAllowed(header: string | undefined, options: AccessOptions): boolean {
  if (header === undefined || header === '') return true
  const host = hostName(header)
  if (LOCAL_HOSTS.has(host)) return true
  if (host === options.host.toLowerCase() && host !== ALL_INTERFACES) return true
  // The node is configured to listen for other machines, and DNS rebinding cannot use an IP address.
  if (isAddress(host) && !LOCAL_HOSTS.has(options.host)) return true
  return options.allowedHosts.some((allowed) => allowed === '*' || allowed.toLowerCase() === host)
}

/** Origins of browser extensions, such as wallets. No web page can have them. */
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
 * Whether an origin is the node itself, under a host that is allowed by its name or its address: a page of the node. Under a host
 * that only `*` allows it can be any page, whose name DNS rebinding leads here.
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
  /** HTTP status. */
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

/** Path and query of a request. */
export interface RequestTarget {
  readonly pathname: string
  /** The dialect in the query; null without one. */
  readonly dialect: string | null
  /** Whether the query asks a node with --faithful for its helpful answers: `?faithful=false`. */
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

/** A path that is used without parsing a URL, because the parsing takes longer than many methods. */
const PLAIN_PATH = /^(?:\/[\w-]+)*\/?$/

/** An arbitrary base for parsing: only path and query are used. */
const BASE = 'http://localhost'

/** The chain that a path selects. */
export interface RequestedChain extends Pick<RequestTarget, 'isHelpful'> {
  /** Id of the world; absent for the default chain. */
  readonly world: string | undefined
}

/** `/` or `/<API key>`, optionally followed by `/w/<id of a world>`, with or without a slash at the end. */
const PATH = /^\/(?:(?:([^/]+)\/)?w\/([^/]*)|([^/]*))\/?$/

/** The chain that a path selects, or the refusal of the path. */
export function requestedChainOf(
  { pathname, isHelpful = false }: RequestTarget,
  { apiKeys }: Options,
): RequestedChain | Refusal {
  const match = PATH.exec(pathname)
  if (match === null) return { status: 404, message: `no such path: ${pathname}` }
  const [, keyBeforeWorld, world, keyAlone] = match
  const key = keyAlone ?? keyBeforeWorld ?? ''
  // Without --api-key every key is accepted.
  if (apiKeys.length > 0 && (key === '' || !apiKeys.includes(key)))
    return { status: 401, message: 'unknown API key' }
  if (world === undefined || isWorldId(world)) return { world, isHelpful }
  return { status: 400, message: `no such path: expected ${WORLD_ID_EXPECTED}, got "${world}"` }
}

/**
 * The dialect that a request names, or its refusal; undefined if it names none, for that of the network of its chain. The reference
 * node ignores the query.
 */
export function requestedDialectOf(
  { dialect: asked, isHelpful }: RequestTarget,
  { faithful }: Options,
): Dialect | Refusal | undefined {
  if (asked === null || (faithful && !isHelpful)) return undefined
  const known = DIALECTS.find((dialect) => dialect === asked)
  return known ?? { status: 400, message: `dialect must be one of ${DIALECTS.join(', ')}` }
}

/** The refusal of a request without a target. */
export const INVALID_PATH: Refusal = { status: 400, message: 'the path is not that of a URL' }
