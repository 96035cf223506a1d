/** Serves JSON-RPC on a Unix domain socket or a Windows named pipe. The permissions of the file let only its owner call. */

import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Server } from 'node:net'
import { NodeError } from '../base/errors.ts'
import { Connections } from './connections.ts'
import type { SocketDependencies } from './connections.ts'
import { IpcSocket } from './ipc-socket.ts'

/**
 * Listens on the path, for requests to the default chain. Replaces the socket file of a process that has ended. The returned function
 * stops accepting connections, closes the open ones within a second, and removes the file.
 * @throws NodeError 'invalidOption' if another process listens, or if a socket cannot be created at the path
 */
export async function openIpc(dependencies: SocketDependencies, path: string): Promise<() => Promise<void>> {
  const connections = new Connections(dependencies)
  const { chainLookup, options, network, host } = dependencies
  const server = createServer((socket) => {
    const chainLease = chainLookup.acquire({ world: undefined })
    if ('status' in chainLease) socket.destroy()
    else connections.open(new IpcSocket(socket, options.bodyLimit, host), chainLease, network.dialect)
  })
  await listen(server, path)
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    await connections.close('the node is closing')
    await closed
  }
}

async function listen(server: Server, path: string): Promise<void> {
  if (await isListening(path)) throw refusal(path, 'another process listens on it')
  if (isSocketFile(path)) rmSync(path)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(refusal(path, cause.code === 'EADDRINUSE' ? 'there is a file that is no socket' : cause.message))
    })
    server.listen(path, resolve)
  })
  if (!isPipe(path)) chmodSync(path, OWNER_ONLY)
}

/** Permissions of the socket file: its owner reads and writes. */
const OWNER_ONLY = 0o600

const refusal = (path: string, reason: string): NodeError =>
  new NodeError('invalidOption', `cannot listen on ${path}: ${reason} (--ipc)`)

/** Whether a path is that of a Windows pipe, which has no file. */
const isPipe = (path: string): boolean => path.startsWith('\\\\.\\pipe\\')

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function isSocketFile(path: string): boolean {
  return !isPipe(path) && lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true
}
