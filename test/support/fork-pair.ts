/** Nodes that continue another node, over a real socket. */

import type { Agent } from 'node:http'
import type { Host } from '../../lib/base/host.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { call, freshNode } from './node.ts'
import { rpc, ask as post } from './server.ts'
import type { Ask } from './peer-process.ts'
import type { Node } from '../../lib/node/node.ts'

/** Sends requests to a server, each on a new connection if an agent says so. Rejects with the error object of a failed one. */
export const askerOf =
  (server: { readonly port: number }, agent?: Agent): Ask =>
  async (method, params = []) => {
    const { text } = await post(server, { body: rpc(method, params), ...(agent && { agent }) })
    const { result, error } = JSON.parse(text)
    if (error !== undefined) throw new AnsweredError(error)
    return result
  }

/** An error object of JSON-RPC. */
export class AnsweredError extends Error {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }

  constructor(error: AnsweredError['error']) {
    super(error.message)
    this.error = error
  }
}

/** A node that continues another one. Its cache is in memory, unless the options name a folder. */
export async function forkOf(
  url: string | readonly string[],
  options: OptionsInput = {},
  host?: Host,
): Promise<{ node: Node; ask: Ask }> {
  const cache = options.forkCache === undefined ? { noForkCache: true } : {}
  const node = await freshNode({ forkUrl: url, frozenTime: true, ...cache, ...options }, host)
  return { node, ask: (method, params = []) => call(node, method, params) }
}

/** Runs a task with a node that continues another one. */
export async function withFork(
  url: string | readonly string[],
  run: (fork: { readonly node: Node; readonly ask: Ask }) => Promise<void>,
  options: OptionsInput = {},
  host?: Host,
): Promise<void> {
  const fork = await forkOf(url, options, host)
  try {
    await run(fork)
  } finally {
    await fork.node.close()
  }
}
