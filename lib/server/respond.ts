/** Writes answers. */

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

/** Bytes from which compressing pays. */
const MIN_COMPRESSED = 1400

/** Characters from which an answer is sent as bytes. */
const LONG = 65_536

/** Sends JSON; compressed if the client asked for it. */
export async function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): Promise<void> {
  response.setHeader('Content-Type', 'application/json')
  if (text.length < MIN_COMPRESSED || !wantsGzip(request)) {
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

/** JSON-RPC code of a failure that is the program's fault. */
const INTERNAL_ERROR = -32603

/** Body of a refusal: a JSON-RPC error, with the id of the request where it is known. */
export function refusalText({ status, message }: Refusal, id: RequestId = null): string {
  return errorText(id, { code: status === 500 ? INTERNAL_ERROR : INVALID_REQUEST, message })
}

/** The refusal that stands for a failure: a reference, under which it is reported. */
export function failureOf(error: unknown, onFault: NodeHooks['onFault']): Refusal {
  return { status: 500, message: reported(error, onFault).message }
}

/** Refuses on the level of transport. */
export function refuse(response: ServerResponse, refusal: Refusal, id?: RequestId): void {
  const body = refusalText(refusal, id)
  response.statusCode = refusal.status
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(body)
}

/** Answers that a request failed through the program's fault; an answer that has begun breaks off. */
export function sendFailure(response: ServerResponse, error: unknown, onFault: NodeHooks['onFault']): void {
  const failure = failureOf(error, onFault)
  if (response.headersSent) response.destroy()
  else refuse(response, failure)
}

function wantsGzip(request: IncomingMessage): boolean {
  const accepted = request.headers['accept-encoding']
  return typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted)
}
