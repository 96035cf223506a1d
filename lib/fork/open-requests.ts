/** The requests to a remote that have no result yet. Equal requests are one. */

import { keepAlive } from '../base/host.ts'

/** A request without a result. */
export interface OpenRequest {
  readonly method: string
  readonly params: readonly unknown[]
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  /** How often it was sent without success. */
  attempts: number
}

/** Keeps the process alive while there are open requests, because the timers of their next attempts do not. */
export class OpenRequests {
  readonly #results = new Map<string, Promise<unknown>>()
  readonly #open = new Set<OpenRequest>()
  #release: (() => void) | undefined

  /** The result of the equal open request, or of a new one that is passed to `begin`. */
  resultOf(
    { method, params }: Pick<OpenRequest, 'method' | 'params'>,
    begin: (request: OpenRequest) => void,
  ): Promise<unknown> {
    const key = JSON.stringify([method, params])
    const known = this.#results.get(key)
    if (known !== undefined) return known
    const result = new Promise<unknown>((resolve, reject) => {
      const request: OpenRequest = {
        method,
        params,
        attempts: 0,
        resolve: (value) => {
          this.#end(key, request)
          resolve(value)
        },
        reject: (error) => {
          this.#end(key, request)
          reject(error)
        },
      }
      this.#open.add(request)
      this.#release ??= keepAlive()
      begin(request)
    })
    this.#results.set(key, result)
    return result
  }

  /** Ends every request with an error. */
  rejectAll(errorOf: (method: string) => Error): void {
    for (const request of this.#open) request.reject(errorOf(request.method))
  }

  #end(key: string, request: OpenRequest): void {
    this.#results.delete(key)
    this.#open.delete(request)
    if (this.#open.size > 0) return
    this.#release?.()
    this.#release = undefined
  }
}
