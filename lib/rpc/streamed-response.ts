/** Responses whose result is produced while it is read. */

import type { TextPieces } from '../base/text-stream.ts'
import { UnfinishedJson } from '../base/unfinished-json.ts'
import { RESULT_END, errorText, resultStart } from './envelope.ts'
import type { RequestId } from '../kernel/wire-form.ts'
import type { OpenEntry } from './request-logger.ts'

/**
 * The text of a long response, in pieces that are produced while it is read. Call `return` to stop before its end. If the production
 * fails, the pieces end with an error, and the generator returns the response without the result.
 */
export type StreamedResponse = AsyncGenerator<string, string | undefined, undefined>

/** The response whose result is a stream. If the stream fails, the response ends there: its result is closed, and the error follows. */
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
