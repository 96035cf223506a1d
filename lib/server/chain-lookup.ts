/** Finds the chain for the path of a URL (the default chain or a world), and the dispatcher of the chain. */

import { NodeError } from '../base/errors.ts'
import type { ErrorKind } from '../base/errors.ts'
import type { Node } from '../node/node.ts'
import { Dispatcher } from '../rpc/dispatch.ts'
import type { DispatchOptions } from '../rpc/dispatch.ts'
import { servedBy } from '../rpc/faithful/methods.ts'
import type { RequestedChain, Refusal } from './admission.ts'

/** The chain of a request or a connection, until `release` is called. */
export interface ChainLease {
  readonly node: Node
  readonly dispatch: DispatchOptions
  readonly dispatcher: Dispatcher
  /** Ends the use of the chain: call it when the response is sent or the connection is closed. */
  readonly release: () => void
}

/** HTTP status for a world that cannot be created, by kind of error. A client must not retry at this status. */
const STATUS: Partial<Record<ErrorKind, number>> = { limitExceeded: 409 }

/** The default chain and the worlds. */
export class ChainLookup {
  readonly #default: ChainLease
  readonly #dispatch: DispatchOptions

  constructor(node: Node, dispatch: DispatchOptions) {
    this.#dispatch = dispatch
    this.#default = { node, dispatch, dispatcher: new Dispatcher(node, dispatch), release: () => undefined }
  }

  /** Begins the use of a chain, and creates its world if necessary. Calls `whenDeleted` when the world is deleted. */
  acquire({ world }: RequestedChain, whenDeleted?: () => void): ChainLease | Refusal {
    if (world === undefined) return this.#default
    try {
      const { chain: node, release } = this.#default.node.worlds.acquire(world, whenDeleted)
      const dispatch = { ...this.#dispatch, world, ...servedBy(node) }
      return { node, dispatch, dispatcher: new Dispatcher(node, dispatch), release }
    } catch (error) {
      if (error instanceof NodeError) return { status: STATUS[error.kind] ?? 400, message: error.message }
      throw error
    }
  }
}
