/** Writes HTTP responses. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { NodeHooks } from '../config/request-log.ts'
import { errorText } from '../rpc/envelope.ts'
import type { RequestId } from '../kernel/wire-form.ts'
import { reportFault } from '../rpc/request-logger.ts'
import type { Refusal } from './admission.ts'

/**
 * Responses of at least this many characters are compressed if the client accepts it, and sent as bytes. Compressing a block of 2
 * KB takes three times as long as its request, and saves nothing between programs on one machine.
 */
const LONG = 65_536

/** Sends JSON. It is compressed if it is long and a client on another machine accepts that. */
export async function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): Promise<void> {
  // Node writes a short text together with the head. A long text is encoded only once if it is sent as bytes.
  if (text.length < LONG) return send(response, text)
  if (!wantsGzip(request)) return send(response, Buffer.from(text))
  // Not a constant here, because the bundle loads node:zlib when `gzip` is first read (scripts/build.js).
  send(response, await promisify(gzip)(text), ['Content-Encoding', 'gzip'])
}

function send(response: ServerResponse, body: string | Buffer, encoding: readonly string[] = []): void {
  const length = String(Buffer.byteLength(body))
  // Node writes a list faster than headers set one by one.
  response.writeHead(response.statusCode, [
    'Content-Type',
    'application/json',
    ...encoding,
    'Content-Length',
    length,
  ])
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
export const refusalText = ({ status, message }: Refusal, id: RequestId = null): string =>
  errorText(id, { code: status === 500 ? INTERNAL_ERROR : INVALID_REQUEST, message })

/** The refusal for a fault of the program. It contains a reference to the logged error. */
export const failureOf = (error: unknown, onFault: NodeHooks['onFault']): Refusal => ({
  status: 500,
  message: reportFault(error, onFault).message,
})

export function refuse(response: ServerResponse, refusal: Refusal, id?: RequestId): void {
  response.statusCode = refusal.status
  send(response, refusalText(refusal, id))
}

/** Sends the refusal for a fault of the program. Destroys the connection if the response has begun. */
export function sendFailure(response: ServerResponse, error: unknown, onFault: NodeHooks['onFault']): void {
  const failure = failureOf(error, onFault)
  if (response.headersSent) response.destroy()
  else refuse(response, failure)
}

/** Whether to compress for a client. On this machine sending all bytes is faster. */
const wantsGzip = (request: IncomingMessage): boolean =>
  request.socket.remoteAddress !== request.socket.localAddress && acceptsGzip(request)

export const acceptsGzip = ({ headers }: IncomingMessage): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers['accept-encoding']))
