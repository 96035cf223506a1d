/** A sequence of consecutive blocks, some of them reserved, and its indexes. */

import type { Hash } from '../base/hex.ts'
import type { Receipt } from './block.ts'
import { AddressIndex } from './address-index.ts'
import { LogIndex } from './log-index.ts'
import { ChainEntry } from './chain-entry.ts'

/** Blocks by their hash, or by those of their transactions. */
export class HashIndex {
  readonly #hashesOf: (entry: ChainEntry) => readonly Hash[]
  /** By the first four bytes of the hash; a list if several blocks have a hash with these bytes. */
  readonly #entries = new Map<number, ChainEntry | readonly ChainEntry[]>()

  /** `hashesOf` are the hashes by which a block is found. */
  constructor(hashesOf: (entry: ChainEntry) => readonly Hash[]) {
    this.#hashesOf = hashesOf
  }

  /** The block with a hash; the last one added, if several contain the same transaction. */
  find(hash: Hash): ChainEntry | undefined {
    return this.#at(keyOf(hash)).findLast((entry) => this.#hashesOf(entry).includes(hash))
  }

  add(entry: ChainEntry): void {
    for (const hash of this.#hashesOf(entry)) {
      const key = keyOf(hash)
      const others = this.#at(key)
      this.#entries.set(key, others.length === 0 ? entry : [...others, entry])
    }
  }

  remove(entry: ChainEntry): void {
    for (const hash of this.#hashesOf(entry)) {
      const key = keyOf(hash)
      const [only, ...others] = this.#at(key).filter((other) => other !== entry)
      if (only === undefined) this.#entries.delete(key)
      else this.#entries.set(key, others.length === 0 ? only : [only, ...others])
    }
  }

  #at(key: number): readonly ChainEntry[] {
    const found = this.#entries.get(key)
    if (found === undefined) return []
    return found instanceof ChainEntry ? [found] : found
  }
}

/** The first four bytes as a signed number, which V8 keeps without an object. */
const keyOf = (hash: Hash): number => parseInt(hash.slice(2, 10), 16) | 0

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
  readonly #byHash = new HashIndex(({ hash }) => [hash])
  readonly #byTransaction = new HashIndex(({ transactionHashes }) => transactionHashes)
  #end: number
  /** Number of entries in the address index. */
  #addressed = 0

  constructor(first: number) {
    this.first = first
    this.#end = first
  }

  /** Height of the next block. */
  get end(): number {
    return this.#end
  }

  /** The block at a height. It is made if it is reserved. */
  at(number: number): ChainEntry | undefined {
    if (number < this.first || number >= this.#end) return undefined
    const entry = this.#entries[this.#position(number)]
    return entry === undefined || numberOf(entry) === number ? entry : entry.reservation?.make(BigInt(number))
  }

  /** The block at a height, or for a reserved block the block before the reservation, which has the same state. */
  stateEntryAt(number: number): ChainEntry | undefined {
    if (number < this.first || number >= this.#end) return undefined
    const entry = this.#entries[this.#position(number)]
    if (entry === undefined || numberOf(entry) === number) return entry
    const { parent, reservation } = entry
    return reservation?.keepsState === false ? reservation.make(BigInt(number)) : parent
  }

  /** Blocks from `number` up to but not including `end`, newest first. Reserved blocks are left out. */
  within(number: number, end: number): readonly ChainEntry[] {
    return this.#entries.slice(this.#position(number), this.#position(end)).reverse()
  }

  /** The lowest blocks from `number` up to but not including `end`, at most `count`, lowest first. Reserved blocks are left out. */
  lowest(number: number, end: number, count: number): readonly ChainEntry[] {
    const start = this.#position(number)
    return this.#entries.slice(start, Math.min(start + count, this.#position(end)))
  }

  byHash(hash: Hash): ChainEntry | undefined {
    const entry = this.#byHash.find(hash)
    if (entry !== undefined) return entry
    for (const { reservation } of this.#reserved) {
      const made = reservation?.byHash(hash)
      if (made !== undefined && this.at(numberOf(made)) === made) return made
    }
    return undefined
  }

  receipt(hash: Hash): MinedReceipt | undefined {
    const entry = this.#byTransaction.find(hash)
    const receipt = entry?.block.receipts.find(({ transaction }) => transaction.hash === hash)
    return entry === undefined || receipt === undefined ? undefined : { entry, receipt }
  }

  push(entry: ChainEntry): void {
    this.#entries.push(entry)
    this.#end = entry.number + 1
    if (entry.reservation !== undefined) this.#reserved.push(entry)
    this.#byHash.add(entry)
    this.#byTransaction.add(entry)
    if (entry.hasLogs) this.logIndex.add(entry.block)
  }

  /** Adds entries to the address index, at most `limit`. Returns how many it added. */
  indexAddresses(limit: number): number {
    const added = this.#entries.slice(this.#addressed, this.#addressed + limit)
    for (const entry of added) if (entry.transactionCount > 0) this.addressIndex.add(entry.block)
    this.#addressed += added.length
    return added.length
  }

  /** Removes the blocks from a height on. */
  cut(end: number): void {
    if (end >= this.#end) return
    const highest = this.at(end - 1)
    while (numberOf(this.#reserved.at(-1)) >= end) this.#reserved.pop()
    const kept = this.#position(end)
    for (const entry of this.#entries.slice(kept, this.#addressed).reverse()) {
      if (entry.transactionCount > 0) this.addressIndex.remove(entry.block)
    }
    this.#addressed = Math.min(this.#addressed, kept)
    for (const entry of this.#entries.splice(kept).reverse()) {
      if (entry.hasLogs) this.logIndex.remove(entry.block)
      this.#byHash.remove(entry)
      this.#byTransaction.remove(entry)
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

  /** Sets the highest block. If it is a reserved block, an entry is added for it. */
  #endWith(highest: ChainEntry | undefined): void {
    this.#end = highest === undefined ? this.first : numberOf(highest) + 1
    if (highest !== undefined && this.#entries.at(-1) !== highest) this.push(highest)
  }

  /** Position of the first entry at or above a height. */
  #position(number: number): number {
    if (this.#end - this.first === this.#entries.length) return Math.max(number - this.first, 0)
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (numberOf(this.#entries[middle]) < number) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Height of a block; -1 for an absent one. */
const numberOf = (entry: ChainEntry | undefined): number => entry?.number ?? -1
