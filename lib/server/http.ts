/** JSON-RPC over HTTP. POST is answered here, before the express stack, which costs more than most methods. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { DIALECTS } from '../config/dialect.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Options } from '../config/options.ts'
import type { Dispatcher } from '../rpc/dispatch.ts'
import { isHostAllowed, isKeyAccepted, isOriginAllowed } from './access.ts'
import { readBody } from './body.ts'
import { refuse, sendJson } from './respond.ts'

/** JSON-RPC code of a request that never reached a method. */
const INVALID_REQUEST = -32600

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
      refuse(response, 400, { code: INVALID_REQUEST, message: 'the path is not that of a URL' })
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

/** The URL asked for; absent for a path such as `//`, which is none. */
function urlOf({ url = '/' }: IncomingMessage): URL | undefined {
  return URL.canParse(url, BASE) ? new URL(url, BASE) : undefined
}

/** What stands before the path does not matter. */
const BASE = 'http://localhost'

/** Checks Host and Origin, and answers what a browser asks before it posts. */
function isAdmitted(request: IncomingMessage, response: ServerResponse, options: Options): boolean {
  const { host, origin } = request.headers
  if (!isHostAllowed(host, options)) {
    refuse(response, 403, {
      code: INVALID_REQUEST,
      message: `host ${String(host)} is not allowed (--allowed-host)`,
    })
    return false
  }
  if (!isOriginAllowed(origin, options)) {
    refuse(response, 403, {
      code: INVALID_REQUEST,
      message: `origin ${String(origin)} is not allowed (--cors)`,
    })
    return false
  }
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
  const key = url.pathname.slice(1)
  // Drains the body also of what is refused, so that the connection can be used again.
  const body = await readBody(request, options.bodyLimit)
  if (key.includes('/'))
    return refuse(response, 404, { code: INVALID_REQUEST, message: `no such path: ${url.pathname}` })
  if (!isKeyAccepted(key === '' ? undefined : key, options)) {
    return refuse(response, 401, { code: INVALID_REQUEST, message: 'unknown API key' })
  }
  if (!isJson(request)) {
    return refuse(response, 415, { code: INVALID_REQUEST, message: 'content type must be application/json' })
  }
  if ('refused' in body) {
    const message = `request exceeds the limit of ${options.bodyLimit} bytes`
    return refuse(response, 413, { code: INVALID_REQUEST, message })
  }
  const dialect = dialectOf(url, options)
  if (dialect === undefined) {
    return refuse(response, 400, {
      code: INVALID_REQUEST,
      message: `dialect must be one of ${DIALECTS.join(', ')}`,
    })
  }
  const text = await dispatcher.answer(body.text, dialect)
  if (text !== undefined) return sendJson(request, response, text)
  response.statusCode = 204
  response.end()
}

/** The dialect asked for in the URL, or the node's. */
function dialectOf(url: URL, options: Options): Dialect | undefined {
  const asked = url.searchParams.get('dialect')
  return asked === null ? options.dialect : DIALECTS.find((dialect) => dialect === asked)
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
  refuse(response, 405, { code: INVALID_REQUEST, message: 'JSON-RPC is asked by POST' })
}
