/** Schemas of params that name peers: addresses to ban, and ids. */

import { isIP } from 'node:net'
import * as z from 'zod'

/**
 * An IP address, or a range of addresses in CIDR form (RFC 4632), that a peer could have.
 * Peers cannot have loopback and wildcard addresses; host names are not resolved (node-rpc 5.14).
 */
export const bannableAddress: z.ZodType<string> = z
  .string({ error: 'expected an address' })
  .refine((address) => !isOwn(address), {
    error: 'invalid banned address: a loopback or wildcard address is of the node itself',
    abort: true,
  })
  .refine(isBannable, {
    error: 'invalid banned address: expected an IP address or a range such as 10.0.0.0/8',
  })

/** An address, or the hex digits of a node id. */
export const peerId: z.ZodType<string> = z
  .string({ error: 'expected a peer' })
  .refine((id) => isBannable(id) || /^[0-9a-fA-F]+$/.test(id), {
    error: 'expected an IP address or the hex digits of a node id',
  })

function isBannable(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || isOwn(address)) return false
  const max = version === 4 ? 32 : 128
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= max)
}

/** Whether the address is the node's own: a loopback or wildcard address. */
function isOwn(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return /^127\.|^0\.0\.0\.0$/.test(plain) || /^[0:]*:[0:]*[01]?$/.test(plain)
}
