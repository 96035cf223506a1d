/** A sequence of consecutive blocks, some of them reserved, and its indexes. */

import { bisect } from '../base/bisect.ts'
import type { Hash } from '../base/hex.ts'
import type { Receipt } from './block.ts'
import { AddressIndex } from './address-index.ts'
import { LogIndex } from './log-index.ts'
import type { ChainEntry } from './chain-entry.ts'

/** A mined transaction with its block. */
export interface MinedReceipt {
  readonly entry: ChainEntry
  readonly receipt: Receipt
}

/** Blocks from a height on. Blocks are added and removed at its upper end. */
export class Segment {
  /** Height of its lowest block. */
  readonly first: number
  /** Index of addresses and topics in its logs. */
  readonly logIndex = new LogIndex()
  /** Index of the transactions of addresses in its lowest entries; `indexAddresses` extends it. */
  readonly addressIndex = new AddressIndex()
  readonly #entries: ChainEntry[] = []
  /** Last entries of reservations. */
  readonly #reserved: ChainEntry[] = []
  readonly #byHash = new Map<Hash, ChainEntry>()
  readonly #byTransaction = new Map<Hash, ChainEntry>()
  /** Number of entries in the address index. */
  #addressed = 0

  constructor(first: number) {
    this.first = first
  }

  /** Height of the next block. */
  get end(): number {
    return (this.#entries.at(-1)?.number ?? this.first - 1) + 1
  }

  /** The block at a height. It is made if it is reserved. */
  at(number: number): ChainEntry | undefined {
    if (number < this.first || number >= this.end) return undefined
    const entry = this.#entries[this.#position(number)]
    return entry === undefined || numberOf(entry) === number ? entry : entry.reservation?.make(BigInt(number))
  }

  /** The block at a height, or for a reserved block the block before the reservation, which has the same state. */
  stateEntryAt(number: number): ChainEntry | undefined {
    if (number < this.first || number >= this.end) return undefined
    const entry = this.#entries[this.#position(number)]
    if (entry === undefined || numberOf(entry) === number) return entry
    const { parent, reservation } = entry
    return reservation?.keepsState === false ? reservation.make(BigInt(number)) : parent
  }

  /** The lowest blocks from `number` up to but not including `end`, at most `count`, lowest first. Reserved blocks are left out. */
  lowest(number: number, end: number, count = Infinity): readonly ChainEntry[] {
    const start = this.#position(number)
    return this.#entries.slice(start, Math.min(start + count, this.#position(end)))
  }

  byHash(hash: Hash): ChainEntry | undefined {
    const entry = this.#byHash.get(hash)
    if (entry !== undefined) return entry
    for (const { reservation } of this.#reserved) {
      const made = reservation?.byHash(hash)
      if (made !== undefined && this.at(numberOf(made)) === made) return made
    }
    return undefined
  }

  receipt(hash: Hash): MinedReceipt | undefined {
    const entry = this.#byTransaction.get(hash)
    const receipt = entry?.block.receipts.find(({ transaction }) => transaction.hash === hash)
    return entry === undefined || receipt === undefined ? undefined : { entry, receipt }
  }

  push(entry: ChainEntry): void {
    this.#entries.push(entry)
    if (entry.reservation !== undefined) this.#reserved.push(entry)
    this.#byHash.set(entry.hash, entry)
    for (const { transaction } of entry.ownReceipts) this.#byTransaction.set(transaction.hash, entry)
    this.logIndex.add(entry)
  }

  /** Adds entries to the address index, at most `limit`. Returns how many it added. */
  indexAddresses(limit: number): number {
    const added = this.#entries.slice(this.#addressed, this.#addressed + limit)
    for (const entry of added) this.addressIndex.add(entry)
    this.#addressed += added.length
    return added.length
  }

  /** Removes the blocks from a height on. */
  cut(end: number): void {
    if (end >= this.end) return
    const highest = this.at(end - 1)
    while (numberOf(this.#reserved.at(-1)) >= end) this.#reserved.pop()
    const kept = this.#position(end)
    const addressed = this.#entries.slice(kept, this.#addressed)
    for (const entry of addressed.reverse()) this.addressIndex.remove(entry)
    this.#addressed = Math.min(this.#addressed, kept)
    for (const entry of this.#entries.splice(kept).reverse()) {
      this.logIndex.remove(entry)
      this.#byHash.delete(entry.hash)
      for (const { transaction } of entry.ownReceipts) this.#byTransaction.delete(transaction.hash)
    }
    this.#endWith(highest)
  }

  /** An independent segment with the blocks below a height. */
  copy(end: number): Segment {
    const copied = new Segment(this.first)
    for (const entry of this.#entries.slice(0, this.#position(end))) copied.push(entry)
    copied.#endWith(this.at(end - 1))
    return copied
  }

  /** Adds an entry for the highest block if that is a reserved one. */
  #endWith(highest: ChainEntry | undefined): void {
    if (highest !== undefined && this.#entries.at(-1) !== highest) this.push(highest)
  }

  /** Position of the first entry at or above a height. */
  #position(number: number): number {
    const { length } = this.#entries
    if (this.end - this.first === length) return Math.max(number - this.first, 0)
    return bisect(length, (position) => numberOf(this.#entries[position]) < number)
  }
}

/** Height of a block; -1 for an absent one. */
const numberOf = (entry: ChainEntry | undefined): number => entry?.number ?? -1
