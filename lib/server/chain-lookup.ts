/** Finds the chain for the path of a URL (the default chain or a world), and the dispatcher of the chain. */

import { NodeError, type ErrorKind } from '../base/errors.ts'
import type { Node } from '../node/node.ts'
import { Dispatcher, type DispatchOptions } from '../rpc/dispatch.ts'
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
  readonly #node: Node
  readonly #dispatch: DispatchOptions
  readonly #default: ChainLease
  readonly #helpful: ChainLease

  constructor(node: Node, dispatch: DispatchOptions) {
    this.#node = node
    this.#dispatch = dispatch
    this.#default = this.#lease(node, {}, () => undefined)
    this.#helpful = this.#lease(node, { isHelpful: true }, () => undefined)
  }

  /** Begins the use of a chain, and creates its world if necessary. Calls `whenDeleted` when the world is deleted. */
  acquire(requested: RequestedChain, whenDeleted?: () => void): ChainLease | Refusal {
    const { world, isHelpful = false } = requested
    if (world === undefined) return isHelpful ? this.#helpful : this.#default
    try {
      const { chain, release } = this.#node.worlds.acquire(world, whenDeleted)
      return this.#lease(chain, requested, release)
    } catch (error) {
      if (error instanceof NodeError) return { status: STATUS[error.kind] ?? 400, message: error.message }
      throw error
    }
  }

  #lease(node: Node, { world, isHelpful }: Partial<RequestedChain>, release: () => void): ChainLease {
    const dispatch = { ...this.#dispatch, world, ...servedBy(node, isHelpful) }
    return { node, dispatch, dispatcher: new Dispatcher(node, dispatch), release }
  }
}
