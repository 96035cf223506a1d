/** Serves the explorer: the page of a chain for browsers, and its script and style sheet. */

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { once } from '../base/once.ts'
import { findPackage } from '../config/package.ts'
import type { Options } from '../config/options.ts'
import { requestedChainOf, type RequestTarget } from './admission.ts'
import { acceptsGzip, refuse } from './respond.ts'

interface ExplorerFile {
  readonly body: Buffer
  readonly type: string
  /** The compressed body. It is made on demand, because compressing all files would delay the first page. */
  compressed?: Buffer
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** The page runs only its own script and talks only to its own node. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Path of the script and the style sheet. */
const FILES_PATH = '/explorer/'

const PAGE = 'index.html'

/** Whether a path is the script's or the style sheet's. */
const isExplorerFile = ({ pathname }: RequestTarget): boolean => pathname.startsWith(FILES_PATH)

/** Whether a request is for a chain's page or one of its files. Browsers that open a page accept HTML. */
export function isForExplorer(
  { method, headers: { accept = '' } }: IncomingMessage,
  target: RequestTarget,
): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return isExplorerFile(target) || accept.includes('text/html')
}

/** Mode of the page, which it reads from its own text (explorer/client/mode.ts), because it runs no inline script. */
const FULL_MODE = '<meta name="explorer-mode" content="full"'
const READ_ONLY_MODE = '<meta name="explorer-mode" content="read-only"'

/**
 * Creates a node's explorer: a function that sends the file at a path, or else the chain's page, or refuses the path. A read-only
 * page has no controls.
 */
export function createExplorer(options: Options) {
  const filesOf = once(() => readFiles(`${findPackage().folder}/dist/explorer`, options.explorerReadOnly))
  return (request: IncomingMessage, response: ServerResponse, target: RequestTarget): void => {
    const isPage = !isExplorerFile(target)
    const requested = isPage ? requestedChainOf(target, options) : target
    if ('status' in requested) return refuse(response, requested)
    const files = filesOf()
    const file = files.get(isPage ? PAGE : target.pathname.slice(FILES_PATH.length))
    if (file !== undefined) return sendFile(request, response, { file, isPage })
    const message =
      files.size === 0 ? 'the explorer is not built: npm run build' : `no such page: ${target.pathname}`
    refuse(response, { status: 404, message })
  }
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, isPage }: { readonly file: ExplorerFile; readonly isPage: boolean },
): void {
  const isCompressed = acceptsGzip(request)
  const body = isCompressed ? (file.compressed ??= gzipSync(file.body)) : file.body
  response.writeHead(200, {
    'Content-Type': file.type,
    'Content-Length': body.length,
    ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
    Vary: 'Accept, Accept-Encoding, Origin',
    // The other files' names contain a hash of their content.
    'Cache-Control': isPage ? 'no-cache' : 'public, max-age=31536000, immutable',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // The path can contain an API key.
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(body)
}

function readFiles(folder: string, isReadOnly: boolean): ReadonlyMap<string, ExplorerFile> {
  if (!existsSync(folder)) return new Map()
  return new Map(
    readdirSync(folder).flatMap((name): [string, ExplorerFile][] => {
      const type = TYPES[name.slice(name.lastIndexOf('.'))]
      if (type === undefined) return []
      const body = readFileSync(`${folder}/${name}`)
      if (name !== PAGE || !isReadOnly) return [[name, { body, type }]]
      const readOnly = body.toString('utf8').replace(FULL_MODE, READ_ONLY_MODE)
      return [[name, { body: Buffer.from(readOnly), type }]]
    }),
  )
}
