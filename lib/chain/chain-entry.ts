/** Blocks of the block tree with state and parent, and changes of the head. */

import { NodeError } from '../base/errors.ts'
import type { Hash } from '../base/hex.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { Block, Receipt } from './block.ts'

/** A run of blocks of which the index holds only the last one: empty blocks (block-reservation.ts), or those of a remote chain. */
export interface Reservation {
  readonly last: bigint
  readonly make: (number: bigint) => ChainEntry | undefined
  readonly byHash: (hash: Hash) => ChainEntry | undefined
  /** Whether each block has the state of the block before the run. */
  readonly keepsState: boolean
}

export interface ChainEntryMembers {
  readonly block: Block
  /** State after the block; absent if it was dropped. Its root differs from the header's after a direct edit of accounts. */
  readonly state: StateRoot | undefined
  /** The nearest earlier entry: for a reserved block the one before the reservation; `entryBefore` returns its real parent. */
  readonly parent: ChainEntry | undefined
  /** The reservation that this block belongs to. The index holds only the last block of a reservation. */
  readonly reservation?: Reservation | undefined
}

/** A block, the state after it, and its parent. */
export class ChainEntry {
  readonly number: number
  readonly block: Block
  readonly parent: ChainEntry | undefined
  readonly reservation: Reservation | undefined
  /** Number of entries below this one. A run of reserved blocks has one entry, its last block. */
  readonly position: number
  #state: StateRoot | undefined

  constructor({ block, state, parent, reservation }: ChainEntryMembers) {
    this.number = Number(block.header.number)
    this.block = block
    this.parent = parent
    this.reservation = reservation
    this.position = parent === undefined ? 0 : parent.position + 1
    this.#state = state
  }

  /** The state after the block. @throws NodeError 'stateDropped' */
  get state(): StateRoot {
    const state = this.keptState
    if (state !== undefined) return state
    throw stateDropped(this.number)
  }

  /** The state after the block; absent if it was dropped. */
  get keptState(): StateRoot | undefined {
    return this.#state
  }

  /** Drops the state (`KeptStates`). */
  dropState(): void {
    this.#state = undefined
  }

  get hash(): Hash {
    return this.block.hash
  }

  /** Receipts of the block; none for a remote block, whose receipts would have to be loaded. */
  get ownReceipts(): readonly Receipt[] {
    return this.block.receipts
  }

  withState(state: StateRoot): ChainEntry {
    const { block, parent, reservation } = this
    return new ChainEntry({ block, state, parent, reservation })
  }
}

/** The error for a read of a dropped state. Its message begins like geth's. */
export const stateDropped = (number: number): NodeError =>
  new NodeError(
    'stateDropped',
    `required historical state unavailable: the state after block ${number} was dropped, because it is old; start the node with a larger --keep-states to keep more`,
  )

/** A change of the head: blocks that left the chain, newest first, and blocks that joined, oldest first. */
export interface HeadChange {
  readonly removed: readonly ChainEntry[]
  readonly added: readonly ChainEntry[]
}

export interface Path {
  /** Number of blocks up to and including the last common ancestor. */
  readonly kept: number
  readonly joining: readonly ChainEntry[]
}

/** The change of the head. A direct edit, which replaces an entry by one with the same block, is no change. */
export function changeOf(leaving: readonly ChainEntry[], joining: readonly ChainEntry[]): HeadChange {
  // Most changes are a block that follows the head.
  if (leaving.length === 0) return { removed: [], added: joining }
  const entriesOnlyIn = (these: readonly ChainEntry[], those: readonly ChainEntry[]) => {
    const others = new Set(those.map(({ hash }) => hash))
    return these.filter(({ hash }) => !others.has(hash))
  }
  return { removed: entriesOnlyIn(leaving, joining), added: entriesOnlyIn(joining, leaving) }
}
