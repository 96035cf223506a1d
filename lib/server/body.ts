/** Reads the body of a request, up to a limit. */

import type { IncomingMessage } from 'node:http'

/** The body as text, or the reason why it was discarded. */
export type Body = { readonly text: string } | DiscardedBody

interface DiscardedBody {
  readonly discarded: 'too large' | 'aborted'
}

/** Collects the body. A body that is too large is read to its end but not kept, so that the client receives the response. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const chunks = await new Promise<readonly Buffer[] | DiscardedBody>((resolve) => {
    const kept: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) kept.push(chunk)
      else kept.length = 0
    })
    request.on('end', () => resolve(length > limit ? { discarded: 'too large' } : kept))
    // The client has closed the connection.
    request.on('error', () => resolve({ discarded: 'aborted' }))
  })
  // Decoded here and not in a listener, where the error for a text of more than half a gigabyte would end the process.
  return 'discarded' in chunks ? chunks : { text: textOf(chunks) }
}

/** Decodes the chunks of a body. Most bodies are one chunk, which needs no copy. */
function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks
  return (chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)).toString('utf8')
}
