/** Blocks of the block tree with state and parent. */

import type { Hash } from '../base/hex.ts'
import { CompressibleText } from '../base/compressed-texts.ts'
import type { KeptTries } from '../state/kept-tries.ts'
import { compressibleState, packState } from '../state/packed-state.ts'
import type { StateRoot } from '../state/state-root.ts'
import { hasLogs } from './block.ts'
import type { Block } from './block.ts'
import { PackedBlock } from './packed-block.ts'

/** A run of blocks of which the index holds only the last one: empty blocks (block-reservation.ts), or those of a remote chain. */
export interface Reservation {
  /** Number of the last block. */
  readonly last: bigint
  readonly make: (number: bigint) => ChainEntry | undefined
  readonly byHash: (hash: Hash) => ChainEntry | undefined
  /** Whether each block has the state of the block before the run. */
  readonly keepsState: boolean
}

/** The members of an entry. */
export interface ChainEntryMembers {
  readonly block: Block
  /** State after the block. Its root differs from the header's after a direct edit of accounts. */
  readonly state: StateRoot
  /** The nearest earlier entry: for a reserved block the one before the reservation; `entryBefore` returns its real parent. */
  readonly parent: ChainEntry | undefined
  /** The reservation that this block belongs to. The index holds only the last block of a reservation. */
  readonly reservation?: Reservation | undefined
}

/**
 * A block, the state after it, and its parent. Block and state of an old entry are packed (packed-block.ts,
 * state/packed-state.ts).
 */
export class ChainEntry implements ChainEntryMembers {
  /** Height of the block. */
  readonly number: number
  readonly state: StateRoot
  readonly parent: ChainEntry | undefined
  readonly reservation: Reservation | undefined
  #block: Block | PackedBlock

  constructor({ block, state, parent, reservation }: ChainEntryMembers) {
    this.number = Number(block.header.number)
    this.state = state
    this.parent = parent
    this.reservation = reservation
    this.#block = block
  }

  get block(): Block {
    return this.#block instanceof PackedBlock ? this.#block.unpack() : this.#block
  }

  /** Whether the block is packed. */
  get isPacked(): boolean {
    return this.#block instanceof PackedBlock
  }

  /** Hash of the block. */
  get hash(): Hash {
    return this.#block.hash
  }

  /** Hashes of the transactions of the block. */
  get transactionHashes(): readonly Hash[] {
    if (this.#block instanceof PackedBlock) return this.#block.transactionHashes
    return this.#block.receipts.map(({ transaction }) => transaction.hash)
  }

  /** Number of transactions of the block. */
  get transactionCount(): number {
    return this.#block instanceof PackedBlock ? this.#block.transactionCount : this.#block.receipts.length
  }

  /** Whether the block has logs. */
  get hasLogs(): boolean {
    return this.#block instanceof PackedBlock ? this.#block.hasLogs : hasLogs(this.#block)
  }

  /** An entry with the same block and an edited state. */
  withState(state: StateRoot): ChainEntry {
    const { block, parent, reservation } = this
    return new ChainEntry({ block, state, parent, reservation })
  }

  /**
   * Packs the block, and the state as its difference from the parent's. Parents are packed first, unless they belong to the
   * chain that this one was forked from.
   */
  pack(kept?: KeptTries): void {
    if (this.#block instanceof PackedBlock) return
    this.#block = new PackedBlock(this.#block)
    if (this.parent !== undefined) packState(this.state, this.parent.state, kept)
  }

  /**
   * Packs entries, parents first, and compresses them together: what is equal in several is stored once. A state has much in
   * common with its block, such as addresses, and the hash that a system contract stores.
   */
  static compress(entries: readonly ChainEntry[], kept: KeptTries): void {
    for (const entry of entries) entry.pack(kept)
    const texts = entries.flatMap(({ packed, state }) => [packed, compressibleState(state)])
    CompressibleText.compress(texts.filter((text) => text !== undefined))
  }

  /** The packed block; absent until it is packed. */
  get packed(): PackedBlock | undefined {
    return this.#block instanceof PackedBlock ? this.#block : undefined
  }
}
