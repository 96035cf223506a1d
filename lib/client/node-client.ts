/** Finds a running node and asks it by HTTP, for commands that are its clients. */

import * as z from 'zod'
import { NodeError, refuseOption, trouble } from '../base/errors.ts'
import { codeOf, reasonOf } from '../base/system-errors.ts'

/** Where to look for a node without --url and DEV_NODE_URL: its own port, and the usual port of development nodes. */
export const DEFAULT_URLS = ['http://127.0.0.1:4444/', 'http://127.0.0.1:8545/'] as const

/** The default URL at which a node answers. `advice` says how to name another. @throws NodeError 'invalidOption' */
export async function usualUrl(advice: string): Promise<string> {
  return (
    (await firstRunning(DEFAULT_URLS)) ??
    refuseOption(
      'DN-NO-NODE',
      `no node answers on port 4444 or 8545 of this machine: ${advice}; nodes of test runs end with their run`,
    )
  )
}

/** The first URL at which a node answers; undefined if none does. */
export async function firstRunning(urls: readonly string[]): Promise<string | undefined> {
  for (const url of urls) if (await isRunning(url)) return url
  return undefined
}

/** Whether a node answers at a URL. */
export const isRunning = (url: string): Promise<boolean> =>
  fetch(new URL('/health', url)).then(
    ({ ok }) => ok,
    () => false,
  )

const errorResponse = z.object({ error: z.object({ message: z.string(), code: z.int() }) })

export class AnsweredError extends NodeError {
  readonly error: z.output<typeof errorResponse>['error']

  constructor(url: string, error: AnsweredError['error']) {
    super('invalidOption', `${url} answers: ${error.message}`, { code: 'DN-ANSWER' })
    this.error = error
  }
}

/** What commands ask: a running node, or one made from a file of failures. */
export interface AskedNode {
  readonly name: string
  /** Absent for a file. */
  readonly url?: string
  /** The command that explains one of its failures. */
  readonly commandFor: (id: number) => string
  /** Asks for the result that a schema describes. @throws NodeError 'invalidOption' */
  ask<Result>(request: readonly [string, ...unknown[]], result: z.ZodType<Result>): Promise<Result>
}

export const nodeAt = (url: string, isNamed = true): AskedNode => ({
  name: `the node at ${url}`,
  url,
  commandFor: (id) => `npx dev-node explain ${id}${isNamed ? ` --url ${url}` : ''}`,
  ask: (request, result) => ask(url, request, result),
})

/** Asks for the result that a schema describes. @throws NodeError 'invalidOption' */
export async function ask<Result>(
  url: string,
  [method, ...params]: readonly [string, ...unknown[]],
  result: z.ZodType<Result>,
): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const request = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const answered = fetch(url, request).then((response): Promise<unknown> => response.json())
  const answer = await answered.catch((cause: unknown) => {
    // The message of `fetch` is `fetch failed`; its cause says why.
    const inner = cause instanceof Error ? (cause.cause ?? cause) : cause
    const reason = reasonOf(inner) || codeOf(inner)
    throw trouble('DN-NO-NODE', `no answer from ${url}: ${reason}`, cause)
  })
  const read = z.union([z.object({ result }), errorResponse]).safeParse(answer).data
  if (read === undefined) refuseOption('DN-NO-NODE', `the answer from ${url} is not that of dev-node`)
  if ('error' in read) throw new AnsweredError(url, read.error)
  return read.result
}
