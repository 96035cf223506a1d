/** Runs `dev-node debug-adapter`: serves one editor over the standard streams, or all that connect to a port, until a signal. */

import { resolve } from 'node:path'
import { listenForEditors, serveEditor } from '../modules/debug/adapter/adapter.ts'
import { refuseOption } from '../base/errors.ts'
import { COMMAND_FLAGS, readFlag, refuseExtra, refuseUnknown, type CommandLine } from './command-flags.ts'
import { readPort, untilSignal, type CommandResult, type Io } from './io.ts'

/** Runs the command. @throws NodeError 'addressInUse', 'invalidOption' also if the port cannot be opened */
export async function runDebugAdapterCommand(
  { words: [word], flags }: CommandLine,
  io: Pick<Io, 'env' | 'streams' | 'stdout' | 'signals'>,
): Promise<CommandResult> {
  refuseExtra(word)
  refuseUnknown(flags, 'debug-adapter', COMMAND_FLAGS['debug-adapter'])
  const port = readFlag(flags, 'port', 'a port from 0 to 65535', readPort)
  const host = readFlag(flags, 'host', 'an address of this machine, such as 127.0.0.1 or ::1', readLoopback)
  if (host !== undefined && port === undefined) refuseOption('DN-PAIR', '--host: expected --port with it')
  const openReport = async (path: string) => (await import('./asked-report.ts')).askedReport(path, true)
  const process = { env: io.env, folder: resolve('.'), openReport }
  if (port === undefined) {
    await serveEditor(io.streams(), process)
    return { text: '', code: 0 }
  }
  const server = await listenForEditors({ host: host ?? '127.0.0.1', port }, process)
  io.stdout.write(`Debug adapter on ${server.host}:${server.port}\n`)
  await untilSignal(io.signals)
  await server.close()
  return { text: '', code: 0 }
}

/** Accepts loopback addresses only, because whoever can reach the adapter can read the user's files. */
const readLoopback = (text: string): string | undefined =>
  /^(localhost|::1|127(\.\d{1,3}){3})$/.test(text) ? text : undefined
