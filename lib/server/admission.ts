/** Who is let in, by which path, and in which dialect: the same for HTTP and WebSocket. The rules are in access.ts. */

import type { IncomingMessage } from 'node:http'
import { DIALECTS } from '../config/dialect.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Options } from '../config/options.ts'
import { isHostAllowed, isKeyAccepted, isOriginAllowed } from './access.ts'

/** Why a request is not let in. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number
  readonly message: string
}

/** The refusal of a caller whose Host or Origin is not allowed. */
export function refusedCaller({ headers }: IncomingMessage, options: Options): Refusal | undefined {
  const { host, origin } = headers
  if (!isHostAllowed(host, options)) {
    return { status: 403, message: `host ${String(host)} is not allowed (--allowed-host)` }
  }
  if (!isOriginAllowed(origin, options)) {
    return { status: 403, message: `origin ${String(origin)} is not allowed (--cors)` }
  }
  return undefined
}

/** The URL asked for; absent for a path such as `//`, which is none. */
export function urlOf({ url = '/' }: IncomingMessage): URL | undefined {
  return URL.canParse(url, BASE) ? new URL(url, BASE) : undefined
}

/** What stands before the path does not matter. */
const BASE = 'http://localhost'

/** The refusal of a path that is none of the node's: `/` and `/<API key>` are. */
export function refusedPath({ pathname }: URL, options: Options): Refusal | undefined {
  const key = pathname.slice(1)
  if (key.includes('/')) return { status: 404, message: `no such path: ${pathname}` }
  if (isKeyAccepted(key === '' ? undefined : key, options)) return undefined
  return { status: 401, message: 'unknown API key' }
}

/** The dialect asked for in the URL, or the node's; absent for one there is not. */
export function dialectOf(url: URL, options: Options): Dialect | undefined {
  const asked = url.searchParams.get('dialect')
  return asked === null ? options.dialect : DIALECTS.find((dialect) => dialect === asked)
}

export const NO_URL: Refusal = { status: 400, message: 'the path is not that of a URL' }

export const NO_DIALECT: Refusal = { status: 400, message: `dialect must be one of ${DIALECTS.join(', ')}` }
