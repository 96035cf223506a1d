/** The settings of a remote, from the options of a fork. */

import { DEFAULT_FORK_RETRIES, DEFAULT_FORK_TIMEOUT_MS } from '../config/fork-options.ts'
import type { Options } from '../config/options.ts'

/** A remote, and how it is asked. */
export interface RemoteSettings {
  /** URL with the scheme http, https, ws or wss. */
  readonly url: string
  /** Headers in the form `name: value`. */
  readonly headers: readonly string[]
  /** Milliseconds that an answer may take. */
  readonly timeoutMs: number
  /** How often a request is repeated. */
  readonly retries: number
  /** JSON-RPC requests per second; 0 is no limit. */
  readonly rate: number
}

/** The settings that the options name; undefined without a fork. */
export function remoteSettingsOf(options: Options): RemoteSettings | undefined {
  const { forkUrl: url, forkHeaders: headers = [], forkRate: rate = 0 } = options
  const { forkTimeout: timeoutMs = DEFAULT_FORK_TIMEOUT_MS, forkRetries: retries = DEFAULT_FORK_RETRIES } =
    options
  return url === undefined ? undefined : { url, headers, timeoutMs, retries, rate }
}
