/** Gets JSON over HTTP within limits. Redirections are not followed: a key in the URL is for one server. */

import { request as plainRequest } from 'node:http'
import type { Agent, IncomingMessage } from 'node:http'
import { lazyPart } from '../../base/lazy-part.ts'
import type { Host } from '../../base/host.ts'
import { jsonValue } from '../../base/json-text.ts'
import { reasonOf } from '../../base/system-errors.ts'
import { SourceFault } from './found-source.ts'

/** How a server is asked. */
export interface GetSettings {
  readonly host: Host
  readonly timeoutMs: number
  /** Connections, such as those through a proxy. */
  readonly agent?: Agent | undefined
}

/** Maximum bytes of an answer: verified contracts have up to a few megabytes. */
const MAX_BYTES = 16 * 1024 * 1024

const loadTls = lazyPart('node:https', () => import('node:https'))

/** Statuses whose answer says why there is no contract. */
const EXPLAINED = [200, 400, 404]

/** The JSON that a server answers, also with status 400 or 404. @throws SourceFault for every other answer */
export async function getJson(url: URL, { host, timeoutMs, agent }: GetSettings): Promise<unknown> {
  const send = url.protocol === 'http:' ? plainRequest : (await loadTls()).request
  const aborter = new AbortController()
  const cancel = host.schedule(timeoutMs, () => aborter.abort())
  const headers = { accept: 'application/json', 'accept-encoding': 'identity' }
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send(url, { headers, signal: aborter.signal, ...(agent && { agent }) })
      sent.once('response', resolve).once('error', reject).end()
    })
    return bodyOf(response, await textOf(response))
  } catch (error) {
    if (error instanceof SourceFault) throw error
    throw new SourceFault(aborter.signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error))
  } finally {
    cancel()
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  const body: AsyncIterable<Buffer> = response
  for await (const chunk of body) {
    length += chunk.length
    if (length > MAX_BYTES) throw new SourceFault(`its answer has more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function bodyOf({ statusCode = 0, headers }: IncomingMessage, text: string): unknown {
  const seconds = Number(headers['retry-after'])
  if (!EXPLAINED.includes(statusCode))
    throw new SourceFault(`HTTP ${statusCode}`, seconds > 0 ? seconds * 1000 : undefined)
  const json = jsonValue(text)
  if (json === undefined) throw new SourceFault(`HTTP ${statusCode} with an answer that is not JSON`)
  return json
}
