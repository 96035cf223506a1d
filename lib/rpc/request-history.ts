/** Keeps the newest requests, from the start or while a client asks for them. The terminal's log does not depend on it. */

import type * as z from 'zod'
import { timeText, type Host } from '../base/host.ts'
import type { RequestLogEntry } from '../config/request-log.ts'
import type { RequestId } from '../kernel/wire-form.ts'
import { textOfResult } from '../kernel/raw-json.ts'
import type { keptRequest } from '../schema/report-results.ts'

type KeptRequest = z.output<typeof keptRequest>

/** Times become texts only in answers, because most requests are never asked for. */
type Kept = Omit<KeptRequest, 'time'> & { readonly at: number }

/** Maximum number of requests that are kept. */
export const MAX_KEPT = 1000

/** Milliseconds after the last question for requests until large results are no longer kept. */
export const KEPT_FOR_MS = 300_000

/** Maximum characters of params: enough to repeat most requests, even with a small contract's code. */
const MAX_PARAMS = 20_000

const MAX_RESULT = 1000

/** Ids of the page's own requests begin with this. They are not kept. */
export const PAGE_ID = 'explorer-'

/** Whether the page itself sent the request. */
export const isOfPage = (id: RequestId | undefined): boolean =>
  typeof id === 'string' && id.startsWith(PAGE_ID)

export class RequestHistory {
  readonly #host: Pick<Host, 'now' | 'elapsed'>
  #kept: Kept[] = []
  #last = 0
  #askedUntilMs = 0
  readonly #isFromStart: boolean

  /** @param options.isFromStart Whether requests are kept before a client asks for them */
  constructor(host: Pick<Host, 'now' | 'elapsed'>, { isFromStart = false } = {}) {
    this.#host = host
    this.#isFromStart = isFromStart
  }

  keeps(id: RequestId | undefined): boolean {
    if (isOfPage(id)) return false
    if (this.#isFromStart || this.#isAsked) return true
    this.#kept = []
    return false
  }

  get #isAsked(): boolean {
    return this.#askedUntilMs > 0 && this.#host.elapsed() < this.#askedUntilMs
  }

  /** Adds a request; `failure` is its id in dev_failures. Results may be large, so before a client asks only texts are kept. */
  add({ method, world, durationMs, params, result, error }: RequestLogEntry, failure?: number): void {
    const isWanted = result !== undefined && (typeof result === 'string' || this.#isAsked)
    this.#kept.push({
      number: ++this.#last,
      at: this.#host.now(),
      method: method.slice(0, MAX_RESULT),
      world: world ?? null,
      durationMs,
      params: shortText(paramsText(params), MAX_PARAMS),
      ...(error === undefined
        ? { result: isWanted ? shortText(textOfResult(result), MAX_RESULT) : undefined }
        : { error: { code: error.code, message: error.message.slice(0, MAX_RESULT), failure } }),
    })
    // The oldest are removed only at twice the maximum, because each removal moves all others.
    if (this.#kept.length >= 2 * MAX_KEPT) this.#kept = this.#kept.slice(-MAX_KEPT)
  }

  /** Kept requests with a number above `after`, oldest first. From the first call on all results are kept. */
  since(after: number): { readonly requests: readonly KeptRequest[]; readonly last: number } {
    this.#askedUntilMs = this.#host.elapsed() + KEPT_FOR_MS
    const wanted = this.#kept.slice(-MAX_KEPT).filter(({ number }) => number > after)
    return { requests: wanted.map(({ at, ...kept }) => ({ ...kept, time: timeText(at) })), last: this.#last }
  }
}

/** Params as JSON. The parser of requests accepts deeper values than JSON.stringify writes. */
function paramsText(params: unknown): string {
  try {
    return JSON.stringify(params ?? [])
  } catch {
    return '"nested too deeply to be kept"'
  }
}

const shortText = (text: string, maxLength: number) => ({
  // Copied, because a slice would keep the whole text.
  text:
    text.length <= maxLength ? text : Buffer.from(text.slice(0, maxLength), 'utf16le').toString('utf16le'),
  length: text.length,
})
