/**
 * Indexes of a chain by height, hash, transaction, address and topic. A copy of the chain for a world shares the blocks, so
 * copying costs the same for every length; later changes of one chain are not visible in the other. Blocks of a long run
 * (hardhat_mine) are reserved: they are made when they are read (block-reservation.ts).
 */

import type { Address, Hash } from '../base/hex.ts'
import type { MinedPosition } from './address-index.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { Block } from './block.ts'
import { ChainEntry } from './chain-entry.ts'
import type { LogFilter } from './log-index.ts'
import { Segment } from './segment.ts'
import type { MinedReceipt } from './segment.ts'

/** The blocks of a shared segment that belong to this chain. A shared segment no longer changes. */
interface SharedSegment {
  readonly segment: Segment
  /** Height at which the next segment begins. */
  readonly end: number
}

/** The beginning of a chain: a genesis block and its state, or a block with its parents. */
export type ChainOrigin = ChainEntry | { readonly block: Block; readonly state: StateRoot }

/** The indexes of one chain. */
export class ChainIndex {
  /** Segments shared with other chains, lowest first. Each begins where the previous one ends. */
  #shared: readonly SharedSegment[]
  /** This chain's own blocks, above the shared ones. */
  #own: Segment

  /** Begins with the blocks of these segments. */
  constructor(shared: readonly SharedSegment[] = []) {
    this.#shared = shared
    this.#own = new Segment(shared.at(-1)?.end ?? 0)
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

  /** Number of blocks, including reserved ones. */
  get length(): number {
    return this.#own.end
  }

  /** The block at a height. It is made if it is reserved. */
  at(number: number): ChainEntry | undefined {
    return this.#segmentWith(number)?.at(number)
  }

  /** The block at a height, or for a reserved block the block before the reservation, which has the same state. */
  stateEntryAt(number: number): ChainEntry | undefined {
    return this.#segmentWith(number)?.stateEntryAt(number)
  }

  byHash(hash: Hash): ChainEntry | undefined {
    return this.#search(
      (segment) => segment.byHash(hash),
      (entry) => entry,
    )
  }

  receipt(hash: Hash): MinedReceipt | undefined {
    return this.#search(
      (segment) => segment.receipt(hash),
      ({ entry }) => entry,
    )
  }

  /** Numbers of the blocks in the range that may have a matching log, ascending. Other blocks have none. */
  candidates(filter: LogFilter, from: number, to: number): readonly number[] {
    const shared = this.#shared
      .filter(({ segment, end }) => segment.first <= to && end > from)
      .flatMap(({ segment, end }) => segment.logIndex.candidates(filter, from, Math.min(to, end - 1)))
    const own = this.#own.logIndex.candidates(filter, from, to)
    return shared.length === 0 ? own : [...shared, ...own]
  }

  /** Adds blocks to the index of addresses, at most `limit`. Returns whether it has all blocks of this chain. */
  indexAddresses(limit: number): boolean {
    let left = limit
    for (const { segment } of this.#segments()) left -= segment.indexAddresses(left)
    return left > 0
  }

  /** Number of transactions of an address that are before a position. The index of addresses must have all blocks. */
  countBelow(address: Address, position: MinedPosition): number {
    const counts = this.#segments().map(({ segment, end }) =>
      segment.addressIndex.countBelow(address, position.block < end ? position : { block: end, index: 0 }),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** The transaction of an address that has so many others before it. The index of addresses must have all blocks. */
  transactionAt(address: Address, count: number): MinedPosition | undefined {
    let left = count
    for (const { segment, end } of this.#segments()) {
      const inside = segment.addressIndex.countBelow(address, { block: end, index: 0 })
      if (left < inside) return segment.addressIndex.at(address, left)
      left -= inside
    }
    return undefined
  }

  /** Blocks from a height on, newest first. Reserved blocks between two entries are left out. */
  from(number: number): readonly ChainEntry[] {
    return number >= this.length ? [] : this.lowest(number).toReversed()
  }

  /** The lowest entries from a height on, at most `count`, lowest first. Reserved blocks between two entries are left out. */
  lowest(number: number, count = Infinity): readonly ChainEntry[] {
    let entries: readonly ChainEntry[] = []
    for (const { segment, end } of this.#segments()) {
      const found = end > number ? segment.lowest(number, end, count - entries.length) : []
      entries = entries.length === 0 ? found : entries.concat(found)
    }
    return entries
  }

  /** Adds the block that comes next. */
  push(entry: ChainEntry): void {
    this.#own.push(entry)
  }

  /** Drops the blocks from a height on. */
  cut(end: number): void {
    if (end >= this.#own.first) this.#own.cut(end)
    else this.#cutShared(end)
  }

  /** Another chain with the same blocks. */
  fork(): ChainIndex {
    this.#share()
    return new ChainIndex(this.#shared)
  }

  /** All segments, lowest first. */
  #segments(): readonly SharedSegment[] {
    return [...this.#shared, { segment: this.#own, end: this.#own.end }]
  }

  #segmentWith(number: number): Segment | undefined {
    if (number >= this.#own.first) return this.#own
    return this.#shared.findLast(({ segment }) => segment.first <= number)?.segment
  }

  #search<T>(find: (segment: Segment) => T | undefined, entryOf: (found: T) => ChainEntry): T | undefined {
    const own = find(this.#own)
    if (own !== undefined) return own
    for (const { segment, end } of this.#shared.toReversed()) {
      const found = find(segment)
      if (found !== undefined && entryOf(found).number < end) return found
    }
    return undefined
  }

  /** Turns `#own` into a shared segment, and starts an empty one. */
  #share(): void {
    let last = this.#own
    if (last.end === last.first) return
    let kept = this.#shared
    // Merges it with lower segments that are not longer, so that many forks do not lead to many segments.
    for (let below = kept.at(-1); below !== undefined; below = kept.at(-1)) {
      if (below.end - below.segment.first > last.end - last.first) break
      last = joined(below, last)
      kept = kept.slice(0, -1)
    }
    this.#shared = [...kept, { segment: last, end: last.end }]
    this.#own = new Segment(last.end)
  }

  #cutShared(end: number): void {
    const kept = this.#shared.filter(({ segment }) => segment.first < end)
    const last = kept.pop()
    this.#own = new Segment(end)
    if (last !== undefined && end < last.end && isMostlyGone(last.segment, end)) {
      // The kept part is copied, so that the rest can be freed.
      this.#own = last.segment.copy(end)
    } else if (last !== undefined) kept.push({ ...last, end: Math.min(last.end, end) })
    this.#shared = kept
  }
}

/** Whether a cut at a height leaves less than half of a segment. */
const isMostlyGone = (segment: Segment, cutAt: number): boolean => cutAt - segment.first < segment.end - cutAt

function joined({ segment, end }: SharedSegment, above: Segment): Segment {
  const one = segment.copy(end)
  for (const entry of above.lowest(above.first, above.end)) one.push(entry)
  return one
}
