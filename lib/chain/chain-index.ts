/**
 * Indexes of a chain by height, hash, transaction, address and topic. Blocks of a long run (hardhat_mine) are reserved: the index holds
 * the last one only, and others are made when they are read (block-reservation.ts).
 */

import { bisect } from '../base/bisect.ts'
import { getOrAdd } from '../base/once.ts'
import type { Hash, Address } from '../base/hex.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { Block, Receipt } from './block.ts'
import { ChainEntry } from './chain-entry.ts'
import { LogIndex, type IndexedEntry } from './log-index.ts'

/** The beginning of a chain: a genesis block and its state, or a block with its parents. */
export type ChainOrigin = ChainEntry | { readonly block: Block; readonly state: StateRoot }

export interface MinedReceipt {
  readonly entry: ChainEntry
  readonly receipt: Receipt
}

/** The indexes of one chain. Blocks are added and removed at its upper end. */
export class ChainIndex {
  readonly logs: LogIndex = new LogIndex()
  /** Index of the transactions of addresses in the lowest entries; `indexAddresses` extends it. */
  readonly addresses = new AddressIndex()
  readonly #entries: ChainEntry[] = []
  readonly #reserved: ChainEntry[] = []
  readonly #byHash = new Map<Hash, ChainEntry>()
  readonly #byTransaction = new Map<Hash, ChainEntry>()
  #addressed = 0

  /** Begins with the blocks of another chain, if one is given. */
  constructor(origin?: ChainIndex) {
    if (origin === undefined) return
    this.logs = new LogIndex(origin.logs)
    this.#entries = [...origin.#entries]
    this.#reserved = [...origin.#reserved]
    this.#byHash = new Map(origin.#byHash)
    this.#byTransaction = new Map(origin.#byTransaction)
  }

  /** The index of a genesis block, or of an entry and its parents. */
  static upTo(origin: ChainOrigin): ChainIndex {
    const head = origin instanceof ChainEntry ? origin : new ChainEntry({ ...origin, parent: undefined })
    const entries: ChainEntry[] = []
    for (let entry: ChainEntry | undefined = head; entry !== undefined; entry = entry.parent)
      entries.push(entry)
    const index = new ChainIndex()
    for (const entry of entries.reverse()) index.push(entry)
    return index
  }

  get length(): number {
    return numberOf(this.head) + 1
  }

  /** The highest block, which is never reserved; absent before the first one. */
  get head(): ChainEntry | undefined {
    return this.#entries.at(-1)
  }

  /** The block at a height. It is made if it is reserved. */
  at(number: number): ChainEntry | undefined {
    if (number < 0 || number >= this.length) return undefined
    const entry = this.#entries[this.#position(number)]
    return entry === undefined || entry.number === number ? entry : entry.reservation?.make(BigInt(number))
  }

  /** The block at a height, or for a reserved block the block before the reservation, which has the same state. */
  stateEntryAt(number: number): ChainEntry | undefined {
    if (number < 0 || number >= this.length) return undefined
    const entry = this.#entries[this.#position(number)]
    if (entry === undefined || entry.number === number) return entry
    const { parent, reservation } = entry
    return reservation?.keepsState === false ? reservation.make(BigInt(number)) : parent
  }

  byHash(hash: Hash): ChainEntry | undefined {
    const entry = this.#byHash.get(hash)
    if (entry !== undefined) return entry
    for (const { reservation } of this.#reserved) {
      const made = reservation?.byHash(hash)
      if (made !== undefined && this.at(made.number) === made) return made
    }
    return undefined
  }

  receipt(hash: Hash): MinedReceipt | undefined {
    const entry = this.#byTransaction.get(hash)
    const receipt = entry?.block.receipts.find(({ transaction }) => transaction.hash === hash)
    return entry === undefined || receipt === undefined ? undefined : { entry, receipt }
  }

  /** Adds entries to the index of addresses, at most `limit`. Returns whether it has all blocks of this chain. */
  indexAddresses(limit: number): boolean {
    const added = this.#entries.slice(this.#addressed, this.#addressed + limit)
    for (const entry of added) this.addresses.add(entry)
    this.#addressed += added.length
    return this.#addressed === this.#entries.length
  }

  /** The lowest entries from a height on, at most `count`, lowest first. Reserved blocks between two entries are left out. */
  lowest(number: number, count = Infinity): readonly ChainEntry[] {
    const start = this.#position(number)
    return this.#entries.slice(start, start + count)
  }

  push(entry: ChainEntry): void {
    this.#entries.push(entry)
    if (entry.reservation !== undefined) this.#reserved.push(entry)
    this.#byHash.set(entry.hash, entry)
    for (const { transaction } of entry.ownReceipts) this.#byTransaction.set(transaction.hash, entry)
    this.logs.add(entry)
  }

  /** Drops the blocks from a height on. */
  cut(end: number): void {
    if (end >= this.length) return
    const highest = this.at(end - 1)
    while (numberOf(this.#reserved.at(-1)) >= end) this.#reserved.pop()
    const kept = this.#position(end)
    const addressed = this.#entries.slice(kept, this.#addressed)
    for (const entry of addressed.reverse()) this.addresses.remove(entry)
    this.#addressed = Math.min(this.#addressed, kept)
    for (const entry of this.#entries.splice(kept).reverse()) {
      this.logs.remove(entry)
      this.#byHash.delete(entry.hash)
      for (const { transaction } of entry.ownReceipts) this.#byTransaction.delete(transaction.hash)
    }
    // A reserved block becomes an entry when it is the highest.
    if (highest !== undefined && this.head !== highest) this.push(highest)
  }

  #position(number: number): number {
    const { length } = this.#entries
    if (this.length === length) return Math.max(number, 0)
    return bisect(length, (position) => numberOf(this.#entries[position]) < number)
  }
}

/** Height of a block; -1 for an absent one. */
const numberOf = (entry: ChainEntry | undefined): number => entry?.number ?? -1

export interface MinedPosition {
  readonly block: number
  readonly index: number
}

/** Sorted positions. Two number arrays use a fifth of the memory of an array of objects. */
interface PositionLists {
  readonly blocks: number[]
  readonly indices: number[]
}

/** The positions of transactions by sender, receiver and created contract. */
export class AddressIndex {
  readonly #byAddress = new Map<Address, PositionLists>()

  /** Adds a block above all indexed blocks. */
  add({ number, ownReceipts }: IndexedEntry): void {
    for (const receipt of ownReceipts) {
      for (const address of addressesOf(receipt)) {
        const { blocks, indices } = this.#postingsOf(address)
        blocks.push(number)
        indices.push(receipt.index)
      }
    }
  }

  /** Removes the highest block. */
  remove({ number, ownReceipts }: IndexedEntry): void {
    for (const address of new Set(ownReceipts.flatMap((receipt) => [...addressesOf(receipt)]))) {
      const { blocks, indices } = this.#postingsOf(address)
      const kept = this.countBelow(address, { block: number, index: 0 })
      blocks.length = kept
      indices.length = kept
      if (kept === 0) this.#byAddress.delete(address)
    }
  }

  countBelow(address: Address, { block, index }: MinedPosition): number {
    const { blocks = [], indices = [] } = this.#byAddress.get(address) ?? {}
    return bisect(blocks.length, (position) => {
      const other = blocks[position] ?? 0
      return other < block || (other === block && (indices[position] ?? 0) < index)
    })
  }

  /** The nth transaction of an address, oldest first (0-based); undefined if there are fewer. */
  at(address: Address, count: number): MinedPosition | undefined {
    const postings = this.#byAddress.get(address)
    const [block, index] = [postings?.blocks[count], postings?.indices[count]]
    return block === undefined || index === undefined ? undefined : { block, index }
  }

  #postingsOf(address: Address): PositionLists {
    return getOrAdd(this.#byAddress, address, () => ({ blocks: [], indices: [] }))
  }
}

/** Sender, receiver and created contract of a transaction, each once. */
export function addressesOf({ transaction, outcome }: Receipt): ReadonlySet<Address> {
  const addresses = [transaction.sender, transaction.to, outcome.contractAddress]
  return new Set(addresses.filter((address) => address !== undefined))
}
