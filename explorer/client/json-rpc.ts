/** Sends JSON-RPC requests to the chain that the page was loaded from. Requests of one moment leave as a batch. */

import type { RpcMethods } from '../../lib/embed/rpc-types.ts'

export type Method = keyof RpcMethods

/** An error that the node answers. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  /** Hash, or id in dev_failures, of the failed execution that the error is about. */
  readonly failure: string | number | undefined

  constructor({ code, message, txHash, explain }: NonNullable<Answer['error']>) {
    super(message)
    this.code = code
    const id = /^dev-node explain (\d+)$/.exec(explain ?? '')?.[1]
    this.failure = txHash ?? (id === undefined ? undefined : Number(id))
  }
}

interface Waiting {
  readonly request: {
    readonly jsonrpc: '2.0'
    readonly id: string
    readonly method: string
    readonly params: readonly unknown[]
  }
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** Sends a batch. One answer stands for the whole batch. */
type Transport = (requests: readonly Waiting['request'][]) => Promise<readonly Answer[] | Answer>

interface Answer {
  readonly id: string
  readonly result?: unknown
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly txHash?: string
    /** The command that explains it, such as `dev-node explain 4`. */
    readonly explain?: string
  }
}

/**
 * The chain's own path: `/`, `/w/<world>`, or either with an API key before it. The page needs methods that a node with
 * --faithful refuses otherwise.
 */
const ENDPOINT = `${location.pathname}?dialect=node33&faithful=false`

let nextId = 1
let waiting: Waiting[] = []

/** Id of a request of the page: the log of requests leaves out ids that begin so. */
export const pageId = (): string => `explorer-${nextId++}`

/** Asks the node. @throws RpcError */
export async function ask<M extends Method>(
  method: M,
  ...params: RpcMethods[M]['params']
): Promise<RpcMethods[M]['result']> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) queueMicrotask(() => void send())
    const request = { jsonrpc: '2.0', id: pageId(), method, params } as const
    waiting.push({ request, resolve: (result) => resolve(result as RpcMethods[M]['result']), reject })
  })
}

/** Requests in one batch; the node accepts a thousand. */
const BATCH = 200

let isStopped = false

/** Ends all requests: each would make a deleted world again. */
export function stopAsking(): void {
  isStopped = true
}

async function send(): Promise<void> {
  const all = waiting
  waiting = []
  if (isStopped) return
  for (let at = 0; at < all.length; at += BATCH) await sendBatch(all.slice(at, at + BATCH))
}

/** Asks the node over HTTP. */
const post: Transport = async (requests) => {
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(requests),
  })
  return (await response.json()) as readonly Answer[] | Answer
}

let transport = post

/** Asks something else than the node from now on: a file of failures inside of the page. */
export function askBy(other: Transport): void {
  transport = other
}

async function sendBatch(batch: readonly Waiting[]): Promise<void> {
  try {
    const answers = await transport(batch.map(({ request }) => request))
    const byId = new Map([answers].flat().map((answer) => [answer.id, answer]))
    for (const { request, resolve, reject } of batch) {
      const answer = byId.get(request.id) ?? (Array.isArray(answers) ? undefined : (answers as Answer))
      if (answer?.error !== undefined) reject(new RpcError(answer.error))
      else if (answer === undefined) reject(new Error('the node did not answer this request'))
      else resolve(answer.result)
    }
  } catch {
    for (const { reject } of batch) reject(new Error('the node cannot be reached'))
  }
}
