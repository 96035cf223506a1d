/** Where a request goes: the chain that its path names, and who answers for it. */

import { NodeError } from '../base/errors.ts'
import type { ErrorKind } from '../base/errors.ts'
import type { Node } from '../node.ts'
import { Dispatcher } from '../rpc/dispatch.ts'
import type { DispatchOptions } from '../rpc/dispatch.ts'
import type { Address, Refusal } from './admission.ts'

/** A chain that was entered. */
export interface Destination {
  readonly node: Node
  /** What its dispatchers are made with. */
  readonly dispatch: DispatchOptions
  readonly dispatcher: Dispatcher
  /** Says that the request is answered, or the connection closed. */
  readonly leave: () => void
}

/** HTTP status of a world that cannot be made. No client may take it for a reason to try again and again. */
const STATUS: Partial<Record<ErrorKind, number>> = { limitExceeded: 409 }

/** The default chain and the worlds beside it. */
export class Destinations {
  readonly #default: Destination
  readonly #dispatch: DispatchOptions
  /** Dispatchers of worlds, made when they are first called; a deleted world takes its own with it. */
  readonly #made = new WeakMap<Node, Omit<Destination, 'leave'>>()

  constructor(node: Node, dispatch: DispatchOptions) {
    this.#dispatch = dispatch
    this.#default = { node, dispatch, dispatcher: new Dispatcher(node, dispatch), leave: () => undefined }
  }

  /** Enters the chain, which is made if there is none. `whenDeleted` is told that it is gone. */
  enter({ world }: Address, whenDeleted?: () => void): Destination | Refusal {
    if (world === undefined) return this.#default
    try {
      const { chain, leave } = this.#default.node.worlds.enter(world, whenDeleted)
      return { ...this.#of(chain, world), leave }
    } catch (error) {
      if (error instanceof NodeError) return { status: STATUS[error.kind] ?? 400, message: error.message }
      throw error
    }
  }

  /** Deletes a world; false when there is none. */
  delete(world: string): Promise<boolean> {
    return this.#default.node.worlds.delete(world)
  }

  #of(node: Node, world: string): Omit<Destination, 'leave'> {
    const known = this.#made.get(node)
    if (known !== undefined) return known
    const dispatch = { ...this.#dispatch, world }
    const made = { node, dispatch, dispatcher: new Dispatcher(node, dispatch) }
    this.#made.set(node, made)
    return made
  }
}
