/** Writes HTTP responses. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { NodeHooks } from '../config/request-log.ts'
import { errorText } from '../rpc/envelope.ts'
import type { RequestId } from '../rpc/envelope.ts'
import { reported } from '../rpc/fault.ts'
import type { Refusal } from './admission.ts'

const compress = promisify(gzip)

/** Minimum number of bytes for compression. */
const MIN_COMPRESSED = 1400

/** Minimum number of characters of a response that is encoded before it is sent. */
const LONG = 65_536

/** Sends JSON, compressed if the client accepts that. */
export async function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): Promise<void> {
  response.setHeader('Content-Type', 'application/json')
  if (text.length < MIN_COMPRESSED || !wantsGzip(request)) {
    // Node writes a short text together with the headers. A long text is converted to bytes here, so it is encoded only once.
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

/** Sends JSON while it is generated, as fast as the client reads it. Destroys the connection if the generation fails. */
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
    // The generator of the pieces has reported its error, or the client has disconnected.
    response.destroy()
  }
}

/** JSON-RPC code of a request that did not reach a method. */
const INVALID_REQUEST = -32600

/** JSON-RPC code of a fault of the program. */
const INTERNAL_ERROR = -32603

/** Body of a refusal: a JSON-RPC error, with the id of the request if it is known. */
export function refusalText({ status, message }: Refusal, id: RequestId = null): string {
  return errorText(id, { code: status === 500 ? INTERNAL_ERROR : INVALID_REQUEST, message })
}

/** The refusal for a fault of the program. It contains a reference, under which the error is logged. */
export function failureOf(error: unknown, onFault: NodeHooks['onFault']): Refusal {
  return { status: 500, message: reported(error, onFault).message }
}

/** Sends a refusal with its HTTP status. */
export function refuse(response: ServerResponse, refusal: Refusal, id?: RequestId): void {
  const body = refusalText(refusal, id)
  response.statusCode = refusal.status
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(body)
}

/** Sends the refusal for a fault of the program. Destroys the connection if the response has begun. */
export function sendFailure(response: ServerResponse, error: unknown, onFault: NodeHooks['onFault']): void {
  const failure = failureOf(error, onFault)
  if (response.headersSent) response.destroy()
  else refuse(response, failure)
}

function wantsGzip(request: IncomingMessage): boolean {
  const accepted = request.headers['accept-encoding']
  return typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted)
}
