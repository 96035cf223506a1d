/** Admits HTTP and WebSocket requests, and reads their path and dialect. The rules for callers are in access.ts. */

import type { IncomingMessage } from 'node:http'
import { DIALECTS } from '../config/dialect.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Options } from '../config/options.ts'
import { WORLD_ID_EXPECTED, isWorldId } from '../worlds/worlds.ts'
import { isHostAllowed, isKeyAccepted, isOriginAllowed, isOwnOrigin } from './access.ts'

/** Why a request is refused. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number
  readonly message: string
}

/** The refusal of a caller whose Host or Origin is not allowed. */
export function callerRefusal({ headers }: IncomingMessage, options: Options): Refusal | undefined {
  const { host, origin } = headers
  if (!isHostAllowed(host, options)) {
    return { status: 403, message: `host ${String(host)} is not allowed (--allowed-host)` }
  }
  if (!isOriginAllowed(origin, options) && !isOwnOrigin(origin, host, options)) {
    return { status: 403, message: `origin ${String(origin)} is not allowed (--cors)` }
  }
  return undefined
}

/** Path and query of a request. */
export interface RequestTarget {
  readonly pathname: string
  /** The dialect in the query; null without one. */
  readonly dialect: string | null
}

/** The target of a request; undefined if the path is invalid, such as `//`. */
export function targetOf({ url = '/' }: IncomingMessage): RequestTarget | undefined {
  if (PLAIN_PATH.test(url)) return { pathname: url, dialect: null }
  if (!URL.canParse(url, BASE)) return undefined
  const { pathname, searchParams } = new URL(url, BASE)
  return { pathname, dialect: searchParams.get('dialect') }
}

/** A path that is used without parsing a URL, because the parsing takes longer than many methods. */
const PLAIN_PATH = /^(?:\/[\w-]+)*\/?$/

/** An arbitrary base for parsing: only path and query are used. */
const BASE = 'http://localhost'

/** The chain that a path selects. */
export interface RequestedChain {
  /** Id of the world; absent for the default chain. */
  readonly world: string | undefined
}

/** `/` or `/<API key>`, optionally followed by `/w/<id of a world>`, with or without a slash at the end. */
const PATH = /^\/(?:(?:([^/]+)\/)?w\/([^/]*)|([^/]*))\/?$/

/** The chain that a path selects, or the refusal of the path. */
export function requestedChainOf({ pathname }: RequestTarget, options: Options): RequestedChain | Refusal {
  const match = PATH.exec(pathname)
  if (match === null) return { status: 404, message: `no such path: ${pathname}` }
  const [, keyBeforeWorld, world, keyAlone] = match
  const key = keyAlone ?? keyBeforeWorld
  if (!isKeyAccepted(key === '' ? undefined : key, options)) {
    return { status: 401, message: 'unknown API key' }
  }
  if (world === undefined || isWorldId(world)) return { world }
  return { status: 400, message: `no such path: expected ${WORLD_ID_EXPECTED}, got "${world}"` }
}

/** The dialect of a request, or else that of the node; undefined if it is unknown. */
export function dialectOf({ dialect: asked }: RequestTarget, options: Options): Dialect | undefined {
  return asked === null ? options.dialect : DIALECTS.find((dialect) => dialect === asked)
}

/** The refusal of a request without a target. */
export const INVALID_PATH: Refusal = { status: 400, message: 'the path is not that of a URL' }

/** The refusal of a dialect that the node does not have. */
export const UNKNOWN_DIALECT: Refusal = {
  status: 400,
  message: `dialect must be one of ${DIALECTS.join(', ')}`,
}
