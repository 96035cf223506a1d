/** Serves JSON-RPC over HTTP. POST requests bypass express, which takes longer than most methods. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { shorten } from '../base/shorten.ts'
import { INVALID_PATH, callerRefusal, requestedChainOf, targetOf } from './admission.ts'
import type { RequestTarget, Refusal } from './admission.ts'
import { OWN_FORM, idOf, parseBody } from '../rpc/envelope.ts'
import type { RequestId } from '../kernel/wire-form.ts'
import type { SocketDependencies } from './connections.ts'
import { createExplorer, isForExplorer } from './explorer.ts'
import { createPages, type PageDependencies } from './pages.ts'
import { refuse, sendFailure, sendJson, sendPieces } from './respond.ts'

/** Creates the handler of the server. An error fails only its own request. */
export function createHandler(dependencies: PageDependencies): RequestListener {
  const { options, onFault } = dependencies
  const [pages, sendExplorer] = [createPages(dependencies), createExplorer(options)]
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = callerRefusal(request, options)
    if (refusal !== undefined) return refuse(response, refusal)
    if (isPreflight(request, response)) return
    const target = targetOf(request)
    if (target === undefined) return refuse(response, INVALID_PATH)
    if (request.method === 'POST') await handlePost(request, response, { ...dependencies, target })
    else if (options.explorer && isForExplorer(request, target)) sendExplorer(request, response, target)
    else if (/^(GET|HEAD)$/.test(request.method ?? '') && target.pathname !== '/') pages(request, response)
    else refuseMethod(response)
  }
  return (request, response) => {
    response.on('error', () => response.destroy())
    handle(request, response).catch((error: unknown) => sendFailure(response, error, onFault))
  }
}

/** Lets the page of an allowed origin read the response, and responds to a browser's preflight request. */
function isPreflight(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers
  if (origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader('Vary', 'Origin')
  }
  if (request.method !== 'OPTIONS') return false
  response.setHeader('Access-Control-Allow-Methods', 'POST, GET, OPTIONS')
  const { 'access-control-request-headers': headers = 'content-type' } = request.headers
  response.setHeader('Access-Control-Allow-Headers', headers)
  response.writeHead(204).end()
  return true
}

async function handlePost(
  request: IncomingMessage,
  response: ServerResponse,
  { target, acquireChain, options }: SocketDependencies & { readonly target: RequestTarget },
): Promise<void> {
  // The body of a refused request is read too, so that the connection can be used again.
  const body = await readBody(request, options.bodyLimit)
  const refuseRequest = (refusal: Refusal): void => refuse(response, refusal, idIn(body))
  const requested = requestedChainOf(target, options)
  if ('status' in requested) return refuseRequest(requested)
  if (!isJson(request))
    return refuseRequest({ status: 415, message: 'content type must be application/json' })
  const { 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding !== 'identity') {
    const message = `content encoding ${shorten(encoding)} is not supported: send the body uncompressed`
    return refuseRequest({ status: 415, message })
  }
  if (body === undefined)
    return refuseRequest({ status: 413, message: `request exceeds the limit of ${options.bodyLimit} bytes` })
  const chainLease = acquireChain(requested)
  if ('status' in chainLease) return refuseRequest(chainLease)
  try {
    const { dialect, dispatcher, dispatch } = chainLease
    const text = await dispatcher.answerStreamed(body, dialect)
    const { statusOf } = dispatch.form ?? OWN_FORM
    if (text === undefined || typeof text === 'string') response.statusCode = statusOf(text)
    if (typeof text === 'string') await sendJson(request, response, text)
    else if (text !== undefined) await sendPieces(request, response, text)
    else response.end()
  } finally {
    chainLease.release()
  }
}

/** Id of the request in a body; null for a batch, for an invalid request, and for a body that was not kept. */
function idIn(body = ''): RequestId {
  try {
    return idOf(parseBody(body))
  } catch {
    return null
  }
}

/** A missing content type means JSON, because some clients omit it. */
function isJson(request: IncomingMessage): boolean {
  const type = request.headers['content-type']
  return type === undefined || /^application\/(json|json-rpc)\s*(;|$)/i.test(type)
}

function refuseMethod(response: ServerResponse): void {
  response.setHeader('Allow', 'POST, OPTIONS')
  refuse(response, { status: 405, message: 'JSON-RPC requests must use POST' })
}

/**
 * The body as text; undefined if it is too large or the client closed the connection. A body that is too large is read to its
 * end but not kept, so that the client receives the response.
 */
async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks = await new Promise<readonly Buffer[] | undefined>((resolve) => {
    const kept: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) kept.push(chunk)
      else kept.length = 0
    })
    request.on('end', () => resolve(length > limit ? undefined : kept))
    request.on('error', () => resolve(undefined))
  })
  // Decoded here and not in a listener, where the error for a text of more than half a gigabyte would end the process.
  // Most bodies are one chunk, which needs no copy.
  const body = chunks?.length === 1 ? chunks[0] : chunks && Buffer.concat(chunks)
  return body?.toString('utf8')
}
