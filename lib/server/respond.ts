/** Writes answers. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { errorText } from '../rpc/envelope.ts'

const compress = promisify(gzip)

/** Bytes from which compressing pays. */
const LEAST_COMPRESSED = 1400

/** Sends JSON; compressed if the client asked for it. */
export async function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): Promise<void> {
  const isCompressed = text.length >= LEAST_COMPRESSED && wantsGzip(request)
  const body = isCompressed ? await compress(text) : Buffer.from(text)
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip')
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Content-Length', body.length)
  response.end(body)
}

/** Refuses on the level of transport, with a JSON-RPC error as body. */
export function refuse(
  response: ServerResponse,
  status: number,
  { code, message }: { readonly code: number; readonly message: string },
): void {
  const body = errorText(null, { code, message })
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(body)
}

function wantsGzip(request: IncomingMessage): boolean {
  const accepted = request.headers['accept-encoding']
  return typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted)
}
