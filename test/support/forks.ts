/** Remotes for tests of forks: this repository's own node behind a socket, and nodes that fork it. */

import { realHost } from '../../lib/base/host.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { freshNode } from './node.ts'
import { ask, rpc, withServer } from './server.ts'

/** A running remote. */
export interface TestRemote {
  readonly url: string
  /** The result of a request, or its error as an exception. */
  readonly call: (method: string, params?: readonly unknown[]) => Promise<any>
}

/** Runs a test with a remote. */
export function withRemote(options: OptionsInput, run: (remote: TestRemote) => Promise<void>): Promise<void> {
  return withServer(options, (server) =>
    run({
      url: server.url,
      call: async (method, params = []) => {
        const { text } = await ask(server, { body: rpc(method, params) })
        const { result, error } = JSON.parse(text)
        if (error !== undefined) throw new Error(`${method}: ${error.message}`)
        return result
      },
    }),
  )
}

/** Runs a test with a node, without a cache on the disk. */
export async function withNode(options: OptionsInput, run: (node: Node) => Promise<void>): Promise<void> {
  const node = await freshNode(
    { ...options, ...(options.forkUrl === undefined ? {} : { noForkCache: true }) },
    realHost,
  )
  try {
    await run(node)
  } finally {
    await node.close()
  }
}
