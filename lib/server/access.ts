/** Checks Host, Origin and API key of requests. The node holds private keys, so web pages need permission to call it. */

import { ALL_INTERFACES } from '../config/interfaces.ts'
import type { Options } from '../config/options.ts'

/** The options of the checks. */
export type AccessOptions = Pick<Options, 'cors' | 'allowedHosts' | 'apiKeys' | 'host'>

/** Names of the local machine in a browser. */
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** Whether the Host header names this machine or an allowed host. Another name can come from DNS rebinding. */
export function isHostAllowed(header: string | undefined, options: AccessOptions): boolean {
  if (header === undefined || header === '') return true
  const host = hostName(header)
  if (LOCAL_HOSTS.has(host)) return true
  if (host === options.host && host !== ALL_INTERFACES) return true
  // The node is configured to listen for other machines, and DNS rebinding cannot use an IP address.
  if (isAddress(host) && !LOCAL_HOSTS.has(options.host)) return true
  return options.allowedHosts.some((allowed) => allowed === '*' || allowed.toLowerCase() === host)
}

/** Origins of browser extensions, such as wallets. No web page can have them. */
const EXTENSIONS = new Set(['chrome-extension:', 'moz-extension:', 'safari-web-extension:'])

/** Whether a web page or extension with this origin may call. Requests without Origin come from programs. */
export function isOriginAllowed(origin: string | undefined, options: AccessOptions): boolean {
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
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  options: AccessOptions,
): boolean {
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false
  const named = { ...options, allowedHosts: options.allowedHosts.filter((allowed) => allowed !== '*') }
  return new URL(origin).host === host.toLowerCase() && isHostAllowed(host, named)
}

/** Whether the API key in the path is accepted. Without --api-key every key is. */
export function isKeyAccepted(key: string | undefined, options: AccessOptions): boolean {
  return options.apiKeys.length === 0 || (key !== undefined && options.apiKeys.includes(key))
}

function hostName(header: string): string {
  const host = header.toLowerCase()
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.replace(/:\d+$/, '')
}

const isAddress = (host: string): boolean => /^\d+(\.\d+){3}$/.test(host) || host.startsWith('[')
