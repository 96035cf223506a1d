/** Transports of requests to a node, so that a test suite can run over each of them. */

import type { OptionsInput } from '../../lib/modules/options.ts'
import { dispatcherOf, freshNode } from './node.ts'
import { ask, withServer } from './server.ts'

/** Sends a body; returns the response body, if there is one. */
export type Send = (body: string) => Promise<string | undefined>

/** Runs a test against a fresh node with frozen time. */
export type WithNode = (options: OptionsInput, run: (send: Send) => Promise<void>) => Promise<void>

const inProcess: WithNode = async (options, run) => {
  const node = await freshNode({ frozenTime: true, ...options })
  const dispatcher = dispatcherOf(node)
  await run((body) => dispatcher.answer(body, node.network.dialect))
}

const overHttp: WithNode = (options, run) =>
  withServer(options, (server) =>
    run(async (body) => {
      const { status, text } = await ask(server, { body })
      if (status === 204) return undefined
      if (status !== 200) throw new Error(`HTTP status ${status}: ${text}`)
      return text
    }),
  )

/** Transports by name. */
export const TRANSPORTS: readonly (readonly [string, WithNode])[] = [
  ['in process', inProcess],
  ['over HTTP', overHttp],
]
