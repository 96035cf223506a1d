/** What the command needs of a server; the real one is started by lib/index.ts, tests bring their own. */

import type { Address, Hex } from '../base/hex.ts'
import type { Network } from '../config/network.ts'
import type { Options } from '../config/options.ts'
import type { RequestLogEntry } from '../config/request-log.ts'

/** A server that answers requests. */
export interface RunningServer {
  readonly url: string
  readonly port: number
  readonly accounts: readonly {
    readonly address: Address
    readonly privateKey: Hex
    readonly balance: bigint
  }[]
  readonly network: Network
  readonly version: string
  /** Which implementations of the hash and the curve run. */
  readonly crypto: string
  close(): Promise<void>
}

/** What the command wants to hear of a running server. */
export interface ServerHooks {
  onRequest?(entry: RequestLogEntry): void
}

/**
 * Starts a server.
 * @throws NodeError 'addressInUse' or 'invalidOption'.
 */
export type StartServer = (options: Options, hooks?: ServerHooks) => Promise<RunningServer>
