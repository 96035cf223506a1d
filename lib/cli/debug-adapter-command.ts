/** Runs `dev-node debug-adapter`: serves one editor over the standard streams, or all that connect to a port, until a signal. */

import { resolve } from 'node:path'
import { listenForEditors, serveEditor } from '../debug-adapter/serve.ts'
import type { DebugAdapterCommand } from './command-flags.ts'
import type { CommandResult, Io } from './io.ts'

/** Runs the command. @throws NodeError 'addressInUse', 'invalidOption' if the port cannot be opened */
export async function runDebugAdapterCommand(
  { host, port }: DebugAdapterCommand,
  io: Pick<Io, 'env' | 'streams' | 'stdout' | 'signals'>,
): Promise<CommandResult> {
  const process = { env: io.env, folder: resolve('.') }
  if (port === undefined) {
    await serveEditor(io.streams(), process)
    return { text: '', code: 0 }
  }
  const server = await listenForEditors({ host, port }, process)
  io.stdout.write(`Debug adapter on ${server.host}:${server.port}\n`)
  let release = (): void => undefined
  await new Promise<void>((ended) => (release = io.signals(() => ended())))
  release()
  await server.close()
  return { text: '', code: 0 }
}
