/** Opens the port. */

import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { NodeError } from '../base/errors.ts'
import { invariant } from '../base/invariant.ts'
import type { Handler } from './http.ts'

/** An open port. */
export interface Listening {
  readonly port: number
  /** Takes no new connection, drops the open ones, and resolves when the port is free. */
  readonly close: () => Promise<void>
}

/**
 * Listens; port 0 takes any that is free.
 * @throws NodeError 'addressInUse', 'invalidOption' when the address is not one of this machine
 */
export async function listen(
  handler: Handler,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, handler)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, host, port)))
    server.listen(port, host, resolve)
  })
  const address = server.address()
  invariant(typeof address === 'object' && address !== null, 'a listening server has an address')
  return { port: address.port, close: () => closed(server) }
}

/** Clients of test suites pause longer than the five seconds Node grants by itself. */
const KEEP_ALIVE_MS = 65_000

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  if (cause.code === 'EADDRINUSE') {
    return new NodeError('addressInUse', `port ${port} of ${host} is already in use`, { cause })
  }
  return new NodeError('invalidOption', `cannot listen on ${host}:${port}: ${cause.message}`, { cause })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
