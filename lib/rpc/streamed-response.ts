/** Responses whose result is produced while it is read. */

import type { TextPieces } from '../base/text-stream.ts'
import type { RequestId } from '../kernel/wire-form.ts'
import { RESULT_END, errorText, resultStart } from './envelope.ts'
import type { OpenEntry } from './request-logger.ts'

/**
 * The text of a long response, in pieces produced while it is read. Call `return` to stop early. If production fails, the pieces
 * end with an error, and the generator returns the response without the result.
 */
export type StreamedResponse = AsyncGenerator<string, string | undefined, undefined>

/** A response whose result is a stream. If the stream fails, the result is closed there and the error follows. */
export async function* streamResponse(
  id: RequestId,
  { beginning, rest }: { readonly beginning: string; readonly rest: TextPieces },
  entry: OpenEntry,
): StreamedResponse {
  const result = new UnfinishedJson()
  try {
    yield resultStart(id) + result.add(beginning)
    for await (const piece of rest) yield result.add(piece)
    yield RESULT_END
    entry.succeed()
    return undefined
  } catch (error) {
    const shown = entry.wireError(entry.fail(error))
    yield `${result.end},"error":${JSON.stringify(shown)}${RESULT_END}`
    return errorText(id, shown)
  } finally {
    await rest.return()
  }
}

export async function wholeText(answer: string | StreamedResponse | undefined): Promise<string | undefined> {
  if (answer === undefined || typeof answer === 'string') return answer
  let text = ''
  for (;;) {
    const { done, value } = await answer.next()
    if (done === true) return value ?? text
    text += value
  }
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** Follows JSON text that arrives in parts. Each part ends after a bracket, comma, colon, or a value that is not a key. */
export class UnfinishedJson {
  /** The brackets that close the open ones, outermost first. */
  readonly #closing: string[] = []
  #last = ''

  add(part: string): string {
    for (let at = 0; at < part.length; at++) {
      const char = part.charAt(at)
      const closing = CLOSING[char]
      if (char === '"') at = endOfString(part, at)
      else if (closing !== undefined) this.#closing.push(closing)
      else if (char === '}' || char === ']') this.#closing.pop()
    }
    this.#last = part.at(-1) ?? this.#last
    return part
  }

  /** The text that completes the parts. */
  get end(): string {
    const isObject = this.#closing.at(-1) === '}'
    const missing = this.#last === ',' && isObject ? '"":null' : 'null'
    const value = this.#last === ',' || this.#last === ':' ? missing : ''
    return value + this.#closing.toReversed().join('')
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}
