/** JSON-RPC client of the benchmarks over HTTP, with keep-alive connections. */

import { Agent, request } from 'node:http'
import { createGunzip } from 'node:zlib'

/** A connection to a node. `call` answers the result, and throws for errors and for any HTTP status but 200. */
export interface Client {
  readonly call: Call
  readonly disconnect: () => void
}

/** Sends one request and waits for its answer. */
export type Call = (method: string, ...params: readonly unknown[]) => Promise<any>

/** A client over HTTP, which sends as many requests at a time as it has connections. */
export function connect(url: string, connections = 1): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const call: Call = async (method, ...params) => {
    const { status, text } = await post(url, agent, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    if (status !== 200) throw new Error(`${method}: status ${status}: ${text.slice(0, 200)}`)
    return resultOf(method, text)
  }
  return { call, disconnect: () => agent.destroy() }
}

/** The result in the text of an answer. Throws for an error. */
export function resultOf(method: string, text: string): unknown {
  const { result, error } = JSON.parse(text) as { result: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return result
}

function post(
  url: string,
  agent: Agent,
  body: string,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      // As fetch of Node and the clients that use it.
      'Accept-Encoding': 'gzip, deflate',
    }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const isCompressed = response.headers['content-encoding'] === 'gzip'
      const readable = isCompressed ? response.pipe(createGunzip()) : response
      let text = ''
      readable.setEncoding('utf8')
      readable.on('data', (chunk: string) => (text += chunk))
      readable.on('end', () => resolve({ status: response.statusCode, text }))
      readable.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
