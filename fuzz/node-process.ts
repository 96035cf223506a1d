/**
 * The process of the node: starts it with real sockets, watches its calls, and tells the parent process what breaks a law.
 * Arguments: options as JSON, and the name of a defect to plant.
 */

import type { OptionsInput } from '../lib/modules/options.ts'
import { resolveOptions } from '../lib/modules/resolve-options.ts'
import { startWithOptions } from '../lib/server/start.ts'
import type { FromNode, ToNode } from './messages.ts'
import { PLANTS } from './plants.ts'
import { watchCalls } from './state-watch.ts'

const [options = '{}', defect] = process.argv.slice(2)

const tell = (message: FromNode): void => void process.send?.(message)
const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

process.on('unhandledRejection', (error) =>
  tell({ kind: 'broken', law: 'no unhandled rejection', detail: textOf(error) }),
)

const counts = watchCalls(
  (method, end, changes) =>
    tell({
      kind: 'broken',
      law: 'no change by a refused or reading call',
      detail: `${method}, ${end}\n${changes.join('\n')}`,
    }),
  defect === undefined ? (_, invoke) => invoke : PLANTS[defect]!,
)

const server = await startWithOptions(resolveOptions({ values: JSON.parse(options) as OptionsInput }), {
  onFault: (error) => tell({ kind: 'broken', law: 'no internal error', detail: textOf(error) }),
})

/** Bytes in use after a full collection. The second turn lets finalizers run. */
async function memory(): Promise<{ readonly used: number; readonly rss: number }> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  return { used: heapUsed + arrayBuffers, rss }
}

// The fuzzer was ended.
process.on('disconnect', () => process.exit(0))

process.on('message', (message: ToNode) => {
  if (message === 'exit') process.exit(0)
  void memory().then((level) => tell({ kind: 'level', ...level, counts }))
})

const { url, port, network, accounts } = server
tell({
  kind: 'ready',
  url,
  port,
  chainId: Number(network.chainId),
  accounts: accounts.slice(0, 6).map(({ address, privateKey }) => ({ address, privateKey })),
})
