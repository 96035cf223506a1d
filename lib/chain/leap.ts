/**
 * Reserved blocks without content, each of which is made on demand. They have the state and the header of the block before
 * them, except for number, time and total difficulty.
 */

import type { Hash } from '../base/hex.ts'
import { InvariantError, present } from '../base/invariant.ts'
import { withHash } from './block.ts'
import type { Block } from './block.ts'
import type { ChainEntry } from './chain-entry.ts'
import { mixHashAfter } from './genesis.ts'
import { consensusOfHeader } from '../consensus/consensus-of.ts'
import type { Header } from '../consensus/header-fields.ts'
import { ZERO_HASH } from './header.ts'

/**
 * Blocks of a leap each of which names the one before it. The first block of every further stretch names none: with its
 * parent's hash it would take all that were leapt over to make one of them.
 */
const STRETCH = 10_000n

/** Of the blocks that are made on the way to one that is looked at, one in so many is kept to go on from. */
const KEPT = 256n

/** Where a leap ends. The seconds are a multiple of its blocks after those of the block before it. */
export type LeapEnd = Pick<Header, 'number' | 'timestamp'>

/** The blocks from one that holds nothing to a later one, which is the last of them. Times are equally far apart. */
export class Leap {
  readonly #from: ChainEntry
  readonly #last: bigint
  /** Seconds from block to block. */
  readonly #gap: bigint
  readonly #made = new Map<bigint, ChainEntry>()
  readonly #byHash = new Map<Hash, ChainEntry>()

  constructor(from: ChainEntry, end: LeapEnd) {
    const { number, timestamp } = from.block.header
    this.#from = from
    this.#last = end.number
    this.#gap = (end.timestamp - timestamp) / (end.number - number)
  }

  /** The last block of all. */
  get end(): ChainEntry {
    return present(this.at(this.#last), 'end of a leap')
  }

  /** The block with a number, if it is one of these. */
  at(number: bigint): ChainEntry | undefined {
    if (number <= this.#from.block.header.number || number > this.#last) return undefined
    return this.#made.get(number) ?? this.#make(number)
  }

  /** The block with a hash, if it or the next one was made. */
  byHash(hash: Hash): ChainEntry | undefined {
    const entry = this.#byHash.get(hash)
    // Who goes back from hash to hash finds the next one.
    if (entry !== undefined) this.at(entry.block.header.number - 1n)
    return entry
  }

  /** The last of the blocks, so many at most, oldest first. Of those that were not looked at only the very last is kept. */
  *newest(count: bigint): IterableIterator<Block> {
    const start = this.#last - count < this.#first ? this.#first : this.#last - count + 1n
    for (const block of this.#walk(start, this.at(start - 1n))) {
      if (block.header.number === this.#last) this.#keep(block)
      yield block
    }
  }

  get #first(): bigint {
    return this.#from.block.header.number + 1n
  }

  #make(number: bigint): ChainEntry {
    const anchor = number - ((number - this.#first) % STRETCH)
    let parent = number - 1n
    while (parent >= anchor && !this.#made.has(parent)) parent--
    for (const block of this.#walk(parent + 1n, this.#made.get(parent))) {
      const on = block.header.number
      if (on === number) return this.#keep(block)
      if (on % KEPT === 0n || on === number - 1n) this.#keep(block)
    }
    throw new InvariantError(`block ${number} is beyond the end of its leap`)
  }

  /** The blocks from a number on; without one before the first of them it is the block before the leap. */
  *#walk(start: bigint, before: ChainEntry = this.#from): IterableIterator<Block> {
    let { hash } = before.block
    for (let number = start; number <= this.#last; number++) {
      const isFirstOfStretch = number > this.#first && (number - this.#first) % STRETCH === 0n
      const block = this.#blockAt(number, isFirstOfStretch ? ZERO_HASH : hash)
      hash = block.hash
      yield block
    }
  }

  #keep(block: Block): ChainEntry {
    const entry = { block, state: this.#from.state, parent: this.#from, leap: this }
    this.#made.set(block.header.number, entry)
    this.#byHash.set(block.hash, entry)
    return entry
  }

  #blockAt(number: bigint, parentHash: Hash): Block {
    const { header, totalDifficulty } = this.#from.block
    const blocks = number - header.number
    return withHash({
      header: {
        ...header,
        parentHash,
        number,
        timestamp: header.timestamp + blocks * this.#gap,
        mixHash: mixHashAfter({ header, hash: parentHash }),
        ...consensusOfHeader(header).repeat(header),
      },
      receipts: [],
      uncles: [],
      totalDifficulty: totalDifficulty + blocks * header.difficulty,
    })
  }
}

/** The leap from a block to one of that number and time, unless that comes right after it. */
export function leapBetween(from: ChainEntry, end: LeapEnd): Leap | undefined {
  return end.number > from.block.header.number + 1n ? new Leap(from, end) : undefined
}
