/** Who may call: the rules for Host, Origin and API keys. The node holds keys, so no web page may drive it unasked. */

import type { Options } from '../config/options.ts'

/** The part of the options that decides. */
export type AccessOptions = Pick<Options, 'cors' | 'allowedHosts' | 'apiKeys' | 'host'>

/** Names under which a browser reaches its own machine. */
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** Whether the Host header names this machine: another name that leads here is DNS rebinding. */
export function isHostAllowed(header: string | undefined, options: AccessOptions): boolean {
  if (header === undefined || header === '') return true
  const host = hostName(header)
  if (LOCAL_HOSTS.has(host) || host === options.host) return true
  // Listening for other machines on purpose: an address is no name that could be rebound.
  if (isAddress(host) && !LOCAL_HOSTS.has(options.host)) return true
  return options.allowedHosts.some((allowed) => allowed === '*' || allowed.toLowerCase() === host)
}

/** Origins of browser extensions, which no web page can have: a wallet that knows this chain is one. */
const EXTENSIONS = new Set(['chrome-extension:', 'moz-extension:', 'safari-web-extension:'])

/** Whether a web page of this origin, or an extension, may call; requests without Origin come from programs. */
export function isOriginAllowed(origin: string | undefined, options: AccessOptions): boolean {
  if (origin === undefined) return true
  if (options.cors.includes('*') || options.cors.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return EXTENSIONS.has(protocol) || LOCAL_HOSTS.has(hostname)
}

/** Whether the key in the path is one of the accepted; any is, unless some are named. */
export function isKeyAccepted(key: string | undefined, options: AccessOptions): boolean {
  return options.apiKeys.length === 0 || (key !== undefined && options.apiKeys.includes(key))
}

function hostName(header: string): string {
  const host = header.toLowerCase()
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.replace(/:\d+$/, '')
}

const isAddress = (host: string): boolean => /^\d+(\.\d+){3}$/.test(host) || host.startsWith('[')
