/** Checks texts that name an address to ban. */

import { isIP } from 'node:net'

/**
 * Whether the text is an IP address, or a range of addresses in CIDR form (RFC 4632), that a peer could have.
 * Peers cannot have loopback and wildcard addresses; host names are not resolved (node-rpc 5.14).
 */
export function isBannable(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || isOwn(address)) return false
  return bits === undefined || isMask(bits, version === 4 ? 32 : 128)
}

function isOwn(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return /^127\.|^0\.0\.0\.0$/.test(plain) || /^[0:]*:[0:]*[01]?$/.test(plain)
}

function isMask(bits: string, most: number): boolean {
  return /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= most
}
