/** Serves editors: one over a pair of streams, or several over TCP. */

import { createServer, type Socket } from 'node:net'
import { NodeError } from '../../../base/errors.ts'
import { codeOf, reasonOf } from '../../../base/system-errors.ts'
import { DebugAdapter, type AdapterProcess } from './adapter.ts'

export interface EditorStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Serves one editor until it leaves. */
export const serveEditor = ({ input, output }: EditorStreams, process: AdapterProcess): Promise<void> =>
  new Promise((resolve) => new DebugAdapter(process, resolve).start(input, output))

/** Where editors connect. */
export interface EditorPort {
  readonly host: string
  readonly port: number
}

/** Serves all editors that connect. @throws NodeError 'addressInUse', 'invalidOption' */
export async function listenForEditors(
  { host, port }: EditorPort,
  process: AdapterProcess,
): Promise<EditorPort & { readonly close: () => Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    // A page in a browser can send requests of HTTP to any port, whose bodies the reader of the protocol would take for messages.
    socket.once('data', (beginning) => {
      if (!beginning.toString('latin1').startsWith('Content-')) return void socket.destroy()
      socket.pause()
      socket.unshift(beginning)
      void serveEditor({ input: socket, output: socket }, process).then(() => socket.end())
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(refusal(cause, { host, port })))
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const close = (): Promise<void> => {
    for (const socket of open) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return { host, port: typeof address === 'object' && address !== null ? address.port : port, close }
}

function refusal(cause: Error, { host, port }: EditorPort): NodeError {
  if (codeOf(cause) === 'EADDRINUSE')
    return new NodeError('addressInUse', `port ${port} of ${host} is in use`, { cause })
  return new NodeError('invalidOption', `cannot listen on ${host}:${port}: ${reasonOf(cause)}`, { cause })
}
