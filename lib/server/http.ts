/** JSON-RPC over HTTP. POST is answered here, before the express stack, which costs more than most methods. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Options } from '../config/options.ts'
import type { Dispatcher } from '../rpc/dispatch.ts'
import { NO_DIALECT, NO_URL, dialectOf, refusedCaller, refusedPath, urlOf } from './admission.ts'
import { readBody } from './body.ts'
import { refuse, sendJson, sendPieces } from './respond.ts'

/** Answers a request, or hands it to the pages. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** What the handler answers with. */
export interface HandlerParts {
  readonly dispatcher: Dispatcher
  readonly options: Options
  /** Answers everything that is not JSON-RPC. */
  readonly pages: Handler
  /** Told about errors that are the program's fault. */
  readonly onFault?: ((error: unknown) => void) | undefined
}

/** Builds the handler of the server. */
export function createHandler({ dispatcher, options, pages, onFault }: HandlerParts): Handler {
  return (request, response) => {
    if (!isAdmitted(request, response, options)) return
    const url = urlOf(request)
    if (url === undefined) {
      refuse(response, NO_URL)
      return
    }
    if (request.method !== 'POST') {
      if (isPage(request, url)) pages(request, response)
      else notAllowed(response)
      return
    }
    answer(request, response, { url, dispatcher, options }).catch((error: unknown) => {
      onFault?.(error)
      response.destroy()
    })
  }
}

/** Checks Host and Origin, and answers what a browser asks before it posts. */
function isAdmitted(request: IncomingMessage, response: ServerResponse, options: Options): boolean {
  const refused = refusedCaller(request, options)
  if (refused !== undefined) {
    refuse(response, refused)
    return false
  }
  const { origin } = request.headers
  if (origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader('Vary', 'Origin')
  }
  if (request.method !== 'OPTIONS') return true
  response.setHeader('Access-Control-Allow-Methods', 'POST, GET, OPTIONS')
  response.setHeader('Access-Control-Allow-Headers', 'content-type')
  response.statusCode = 204
  response.end()
  return false
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    url,
    dispatcher,
    options,
  }: { readonly url: URL; readonly dispatcher: Dispatcher; readonly options: Options },
): Promise<void> {
  // Drains the body also of what is refused, so that the connection can be used again.
  const body = await readBody(request, options.bodyLimit)
  const refused = refusedPath(url, options)
  if (refused !== undefined) return refuse(response, refused)
  if (!isJson(request)) {
    return refuse(response, { status: 415, message: 'content type must be application/json' })
  }
  if ('refused' in body) {
    return refuse(response, {
      status: 413,
      message: `request exceeds the limit of ${options.bodyLimit} bytes`,
    })
  }
  const dialect = dialectOf(url, options)
  if (dialect === undefined) return refuse(response, NO_DIALECT)
  const text = await dispatcher.respond(body.text, dialect)
  if (typeof text === 'string') return sendJson(request, response, text)
  if (text !== undefined) return sendPieces(request, response, text)
  response.statusCode = 204
  response.end()
}

/** A missing content type is taken for JSON, as some clients send none. */
function isJson(request: IncomingMessage): boolean {
  const type = request.headers['content-type']
  return type === undefined || /^application\/(json|json-rpc)\s*(;|$)/i.test(type)
}

function isPage({ method }: IncomingMessage, { pathname }: URL): boolean {
  return (method === 'GET' || method === 'HEAD') && pathname !== '/'
}

function notAllowed(response: ServerResponse): void {
  response.setHeader('Allow', 'POST, OPTIONS')
  refuse(response, { status: 405, message: 'JSON-RPC is asked by POST' })
}
