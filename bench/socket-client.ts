/** JSON-RPC client of the benchmarks over WebSocket. */

import { once } from 'node:events'
import { WebSocket } from 'ws'
import { resultOf } from './client.ts'
import type { Call, Client } from './client.ts'

/** A client over WebSocket, which has one request under way at a time. */
export async function connectSocket(url: string): Promise<Client> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'))
  await once(socket, 'open')
  const call: Call = async (method, ...params) => {
    const answered = once(socket, 'message')
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const [text] = await answered
    return resultOf(method, String(text))
  }
  return { call, disconnect: () => socket.terminate() }
}
