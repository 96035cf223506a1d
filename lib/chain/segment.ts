/** A run of blocks, one after another, and where things are found in it. */

import type { Hash } from '../base/hex.ts'
import type { Receipt } from './block.ts'
import type { ChainEntry } from './chain.ts'
import { LogIndex } from './log-index.ts'

/** A mined transaction with its block. */
export interface MinedReceipt {
  readonly entry: ChainEntry
  readonly receipt: Receipt
}

/** Blocks from a height on. It grows and shrinks at its upper end. */
export class Segment {
  /** Height of its lowest block. */
  readonly first: number
  /** Where addresses and topics occur in it. */
  readonly logIndex = new LogIndex()
  readonly #entries: ChainEntry[] = []
  readonly #byHash = new Map<Hash, ChainEntry>()
  readonly #receipts = new Map<Hash, MinedReceipt>()

  constructor(first: number) {
    this.first = first
  }

  /** Height of the block that would come next. */
  get end(): number {
    return this.first + this.#entries.length
  }

  at(number: number): ChainEntry | undefined {
    return this.#entries[number - this.first]
  }

  byHash(hash: Hash): ChainEntry | undefined {
    return this.#byHash.get(hash)
  }

  receipt(hash: Hash): MinedReceipt | undefined {
    return this.#receipts.get(hash)
  }

  push(entry: ChainEntry): void {
    this.#entries.push(entry)
    this.#byHash.set(entry.block.hash, entry)
    for (const receipt of entry.block.receipts)
      this.#receipts.set(receipt.transaction.hash, { entry, receipt })
    this.logIndex.add(entry.block)
  }

  /** Drops the blocks from a height on. */
  cut(end: number): void {
    for (const { block } of this.#entries.splice(Math.max(end - this.first, 0)).reverse()) {
      this.logIndex.remove(block)
      this.#byHash.delete(block.hash)
      for (const { transaction } of block.receipts) this.#receipts.delete(transaction.hash)
    }
  }

  /** A segment of its own with the blocks below a height. */
  copy(end: number): Segment {
    const copied = new Segment(this.first)
    for (const entry of this.#entries.slice(0, end - this.first)) copied.push(entry)
    return copied
  }
}
