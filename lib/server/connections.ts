/** The open connections of a transport. Each has its own subscriptions and dispatcher. */

import type { Host } from '../base/host.ts'
import { oncePer } from '../base/once.ts'
import type { Options } from '../config/options.ts'
import type { NodeHooks } from '../config/request-log.ts'
import { Dispatcher } from '../rpc/dispatch.ts'
import { notificationWriter } from '../rpc/render/notification.ts'
import type { AcquireChain, ChainLease } from './admission.ts'
import { Connection, type MessageSocket } from './socket-connection.ts'

export interface SocketDependencies extends Pick<NodeHooks, 'onFault'> {
  readonly acquireChain: AcquireChain
  readonly options: Options
  readonly host: Host
}

/** Milliseconds that a client has to acknowledge the close of its connection. After that the socket is destroyed. */
export const CLOSE_TIMEOUT_MS = 900

/** The connections of one server over one transport. */
export function createConnections({ options, onFault }: SocketDependencies) {
  const writerOf = oncePer(notificationWriter)
  /** Connections, each with a promise that resolves when it is closed. */
  const all = new Map<Connection, Promise<void>>()
  return {
    all,
    /** Handles the requests of a socket until it is closed. */
    open(socket: MessageSocket, { node, dispatch, dialect }: ChainLease): Connection {
      const writer = writerOf(node.network)
      const subscriber = node.subscriptions.connect((id, event) => {
        // An error here must not interrupt the chain, which is adding a block.
        try {
          connection.notify(writer.write(id, event))
        } catch (error) {
          connection.fail(error)
        }
      })
      const dispatcher = new Dispatcher(node, { ...dispatch, subscriber })
      const connection = new Connection({ socket, subscriber, dialect, onFault, dispatcher, options })
      const closed = new Promise<void>((resolve) => {
        socket.on('close', () => {
          all.delete(connection)
          resolve()
        })
      })
      all.set(connection, closed)
      return connection
    },
    /** Closes every connection, and resolves when all are closed. */
    async close(reason: string): Promise<void> {
      for (const connection of all.keys()) connection.close(reason)
      await Promise.all(all.values())
    },
  }
}
