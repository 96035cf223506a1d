/** A proxy in front of the remote that adds latency and counts requests. */

import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** What went through the proxy. */
export interface Traffic {
  /** HTTP requests. */
  readonly messages: number
  /** JSON-RPC requests in them. */
  readonly requests: number
}

/** A running proxy. */
export interface CountingProxy {
  readonly url: string
  readonly traffic: () => Traffic
  readonly close: () => Promise<void>
}

/** Starts a proxy in front of a server. Each answer leaves after the latency. */
export async function startProxy(target: string, latencyMs: number): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true })
  let messages = 0
  let requests = 0
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(incoming)
    const json = JSON.parse(body.toString('utf8')) as unknown
    messages++
    requests += Array.isArray(json) ? json.length : 1
    const [answer] = await Promise.all([forward(target, agent, body), pause(latencyMs)])
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    response.end(answer)
  }
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy())
  })
  // Nodes keep connections for as long as they want.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    traffic: () => ({ messages, requests }),
    close: async () => {
      agent.destroy()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function forward(target: string, agent: Agent, body: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const sent = request(target, { method: 'POST', agent, headers }, (response) => {
      buffer(response).then(resolve, reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
