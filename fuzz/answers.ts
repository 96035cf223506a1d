/** Checks the answers to requests: one for each id, well formed, and never an internal error. */

import type { Message } from './exchange.ts'
import { BrokenLaw } from './node-client.ts'

/** Code of internal errors (JSON-RPC 2.0, section 5.1). */
const INTERNAL_ERROR = -32603

/** Code of invalid requests. */
const INVALID_REQUEST = -32600

interface Answer {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
}

/** A refusal of the whole text: it is too long, too many, or its answer is. */
const REFUSED_WHOLE = /exceeds the limit/

/** Checks an answer against the JSON of the ids that were asked. @throws BrokenLaw */
export function checkAnswer(
  text: string,
  { ids, mayBeRefused = false }: Pick<Message, 'ids' | 'mayBeRefused'>,
): void {
  if (text === '' && ids?.length === 0) return
  const answers = parsed(text)
  for (const answer of answers) checkOne(answer)
  if (ids === undefined) return
  const [only] = answers
  if (
    answers.length === 1 &&
    only?.id === null &&
    (mayBeRefused || REFUSED_WHOLE.test(String(only.error?.message)))
  )
    return
  // A notification with params of a wrong type is no valid request, and answered without an id (JSON-RPC 2.0, section 5).
  const named = answers.filter(({ id, error }) => id !== null || error?.code !== INVALID_REQUEST)
  const found = named.map(({ id }) => JSON.stringify(id)).sort()
  const expected = ids.map((id) => JSON.stringify(JSON.parse(id))).sort()
  if (found.join() !== expected.join()) {
    throw new BrokenLaw(
      'no request without an answer',
      `expected ids ${expected.join()}, got ${found.join()}`,
    )
  }
}

function parsed(text: string): readonly Answer[] {
  try {
    const value = JSON.parse(text) as Answer | readonly Answer[]
    return Array.isArray(value) ? value : [value as Answer]
  } catch {
    throw new BrokenLaw('no request without an answer', `an answer that is no JSON: ${text.slice(0, 300)}`)
  }
}

function checkOne(answer: Answer): void {
  const { jsonrpc, error } = answer
  const isEither = 'result' in answer !== 'error' in answer
  if (jsonrpc !== '2.0' || !isEither) {
    throw new BrokenLaw(
      'no request without an answer',
      `no answer of JSON-RPC: ${JSON.stringify(answer).slice(0, 300)}`,
    )
  }
  if (error === undefined) return
  if (typeof error.code !== 'number' || typeof error.message !== 'string') {
    throw new BrokenLaw(
      'no request without an answer',
      `no error of JSON-RPC: ${JSON.stringify(error).slice(0, 300)}`,
    )
  }
  if (error.code === INTERNAL_ERROR) throw new BrokenLaw('no internal error', error.message)
}

/** Checks what came from a bare socket: if it is an answer of HTTP 200, its body must not be an internal error. */
export function checkBytes(received: string): void {
  if (received.includes(String(INTERNAL_ERROR))) {
    throw new BrokenLaw('no internal error', received.slice(0, 1000))
  }
}
