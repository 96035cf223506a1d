/** Reads the body of a request, up to a limit. */

import type { IncomingMessage } from 'node:http'

/** The body as text, or why there is none. */
export type Body = { readonly text: string } | { readonly refused: 'too large' | 'aborted' }

/** Collects the body. One that is too large is read to its end but not kept, so that the answer can be delivered. */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else chunks.length = 0
    })
    request.on('end', () => {
      resolve(length > limit ? { refused: 'too large' } : { text: Buffer.concat(chunks).toString('utf8') })
    })
    request.on('aborted', () => resolve({ refused: 'aborted' }))
    request.on('error', () => resolve({ refused: 'aborted' }))
  })
}
