/** JSON-RPC client of the benchmarks over WebSocket. */

import { once } from 'node:events'
import { WebSocket } from 'ws'
import { resultOf } from './client.ts'
import type { Call, Client } from './client.ts'

/** A client over WebSocket, which has one request under way at a time. */
export async function connectSocket(url: string): Promise<Client> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'))
  await once(socket, 'open')
  const closed = once(socket, 'close').then(() => {
    throw new Error('the node closed the WebSocket')
  })
  // The next request hears of it.
  closed.catch(() => undefined)
  const call: Call = async (method, ...params) => {
    const answered = Promise.race([once(socket, 'message'), closed])
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const [text] = await answered
    return resultOf(method, String(text))
  }
  return { call, disconnect: () => socket.terminate() }
}
