/** Writes answers. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { errorText } from '../rpc/envelope.ts'
import type { Refusal } from './admission.ts'

const compress = promisify(gzip)

/** Bytes from which compressing pays. */
const LEAST_COMPRESSED = 1400

/** Characters from which an answer is sent as bytes. */
const LONG = 65_536

/** Sends JSON; compressed if the client asked for it. */
export async function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): Promise<void> {
  response.setHeader('Content-Type', 'application/json')
  if (text.length < LEAST_COMPRESSED || !wantsGzip(request)) {
    // Node writes the head together with a short text, and encodes a long one only once if it is bytes.
    const whole = text.length < LONG ? text : Buffer.from(text)
    response.setHeader('Content-Length', Buffer.byteLength(whole))
    response.end(whole)
    return
  }
  const body = await compress(text)
  response.setHeader('Content-Encoding', 'gzip')
  response.setHeader('Content-Length', body.length)
  response.end(body)
}

/** Sends JSON while it is being made, as fast as the client takes it. When making it fails, the connection breaks off. */
export async function sendPieces(
  request: IncomingMessage,
  response: ServerResponse,
  pieces: AsyncIterable<string>,
): Promise<void> {
  response.setHeader('Content-Type', 'application/json')
  const isCompressed = wantsGzip(request)
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip')
  try {
    if (isCompressed) await pipeline(pieces, createGzip(), response)
    else await pipeline(pieces, response)
  } catch {
    // Whoever made the pieces has said why; and a client that is gone is told nothing.
    response.destroy()
  }
}

/** JSON-RPC code of a request that never reached a method. */
const INVALID_REQUEST = -32600

/** Body of a refusal: a JSON-RPC error. */
export function refusalText(message: string): string {
  return errorText(null, { code: INVALID_REQUEST, message })
}

/** Refuses on the level of transport. */
export function refuse(response: ServerResponse, { status, message }: Refusal): void {
  const body = refusalText(message)
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(body)
}

function wantsGzip(request: IncomingMessage): boolean {
  const accepted = request.headers['accept-encoding']
  return typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted)
}
