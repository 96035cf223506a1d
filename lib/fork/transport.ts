/** Messages to a remote: replies, faults, and the pace of requests. */

import { readTime, type Host } from '../base/host.ts'

/** Where and how the client connects. */
export interface TransportSettings {
  readonly url: URL
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly timeoutMs: number
  readonly host: Host
}

export interface WireRequest {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** Why a request has no result. */
export interface RemoteFault {
  readonly kind: 'fault'
  /** Ends the sentence that begins with "the remote <url>". */
  readonly describe: (method: string) => string
  readonly isTransient: boolean
  /** The remote asks to wait this many milliseconds. */
  readonly retryAfterMs?: number | undefined
  readonly isRateLimit?: boolean
}

export type RemoteReply = { readonly kind: 'json'; readonly json: unknown } | RemoteFault | StatusReply

/** An HTTP status other than success, or a text that is not JSON. */
export interface StatusReply {
  readonly kind: 'status'
  readonly status: number
  /** The body if it is JSON. */
  readonly json: unknown
  /** The explanation in the body, if it has one. */
  readonly detail: string | undefined
  readonly fault: RemoteFault
}

export const notJson = transient((method) => `answered ${method} with text that is not JSON`)

export function transient(describe: RemoteFault['describe'], retryAfterMs?: number): RemoteFault {
  return { kind: 'fault', describe, isTransient: true, retryAfterMs }
}

export function lasting(describe: RemoteFault['describe']): RemoteFault {
  return { kind: 'fault', describe, isTransient: false }
}

export const spanText = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`)

export function timeoutFault(timeoutMs: number): RemoteFault {
  return transient((method) => `did not answer ${method} within ${spanText(timeoutMs)}`)
}

/** The error of a connection that failed for a known reason. */
export class KnownFault extends Error {
  readonly fault: RemoteFault

  constructor(fault: RemoteFault) {
    super('the connection failed')
    this.fault = fault
  }
}

const TRANSIENT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])

/** A connection that failed before the answer. */
export function connectionFault(error: Error & { readonly code?: string }): RemoteFault {
  if (error instanceof KnownFault) return error.fault
  const { code = error.message } = error
  if (code === 'ECONNREFUSED') return transient((method) => `refused the connection for ${method}`)
  if (code === 'ECONNRESET' || code === 'EPIPE') return closedFault
  const describe = (method: string): string => `could not be reached for ${method}: ${code}`
  return TRANSIENT_CODES.has(code) ? transient(describe) : lasting(describe)
}

export const closedFault = transient((method) => `closed the connection before it answered ${method}`)

/** An HTTP status other than success. `detail` is the remote's explanation, if any. */
export function statusFault(
  { status, detail }: { readonly status: number; readonly detail?: string | undefined },
  retryAfter: string | undefined,
  host: Host,
): RemoteFault {
  const more = detail === undefined ? '' : `: ${detail}`
  const describe = (method: string): string => `answered ${method} with HTTP ${status}${more}`
  const isTransient = status === TOO_MANY_REQUESTS || status >= 500
  if (!isTransient) return lasting(describe)
  const isRateLimit = status === TOO_MANY_REQUESTS
  return { ...transient(describe, readRetryAfter(retryAfter, host)), isRateLimit }
}

/** HTTP status of a rate limit (RFC 6585). */
const TOO_MANY_REQUESTS = 429

/** Longest pause that a remote can ask for, in milliseconds. */
const MAX_RETRY_AFTER_MS = 60_000

/** Reads the header Retry-After: seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(text: string | undefined, host: Host): number | undefined {
  if (text === undefined) return undefined
  const dateMs = readTime(text)
  const waitMs = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : (dateMs ?? Number.NaN) - host.now()
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS)
}

/** Shorter pauses that a remote asks for are not reported, in milliseconds. */
const MIN_REPORTED_MS = 2000

export type PauseReports = ReturnType<typeof pauseReports>

/** Reports pauses to the user, once for all requests that wait together. `report` receives anything else. */
export function pauseReports(host: Host, report: (sentence: string) => void) {
  let endMs = -Infinity
  /** `sentence` gives the reason, and says that the remote is asked again. */
  const add = (sentence: string, ms: number, leastMs = MIN_REPORTED_MS): void => {
    const nowMs = host.elapsed()
    if (ms < leastMs || nowMs < endMs) return
    endMs = nowMs + ms
    report(`${sentence} in ${Math.ceil(ms / 1000)} s`)
  }
  return { report, add }
}

const WINDOW_MS = 1000

/** Counts the JSON-RPC requests of the last second. Like providers, it counts each request of a batch. 0 means no limit. */
export function requestRate(perSecond: number) {
  /** Times of the requests of the last second, oldest first. */
  let sentAtMs: readonly number[] = []
  return {
    free(nowMs: number): number {
      if (perSecond === 0) return Infinity
      sentAtMs = sentAtMs.filter((timeMs) => timeMs > nowMs - WINDOW_MS)
      return perSecond - sentAtMs.length
    },
    count(requests: number, nowMs: number): void {
      if (perSecond > 0) sentAtMs = sentAtMs.concat(Array.from({ length: requests }, () => nowMs))
    },
    /** Milliseconds until the next request may be sent. */
    waitMs: (nowMs: number): number => (sentAtMs[0] ?? nowMs) + WINDOW_MS - nowMs,
  }
}

/** Longest delay before the second attempt of a request, in milliseconds. It doubles with every attempt. */
export const FIRST_DELAY_MS = 250

const MAX_DELAY_MS = 10_000

/**
 * Milliseconds to wait after this many attempts: a random time between half and all of the longest delay, so that requests that
 * failed together are not repeated together.
 */
export function retryDelayMs(attempts: number, random: Host['random']): number {
  const longestMs = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS)
  const [byte = 0] = random(1)
  return Math.round((longestMs / 2) * (1 + byte / 255))
}
