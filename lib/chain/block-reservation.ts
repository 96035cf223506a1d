/** Reservations: runs of empty blocks that are made on demand. */

import type { Hash } from '../base/hex.ts'
import { InvariantError, present } from '../base/invariant.ts'
import type { Header } from '../networks/consensus/consensus.ts'
import type { StateRoot } from '../state/state-root.ts'
import { withHash, type Block } from './block.ts'
import { ChainEntry, type Reservation } from './chain-entry.ts'
import { mixHashAfter } from './genesis.ts'
import { ZERO_HASH } from './header.ts'

/**
 * Blocks per section. The first block of each later section has zero as its parent hash, so that a block can be made from
 * its own section alone. Sections are counted back from the last block. The first one takes the remainder (10,000 to 19,999
 * blocks), so a reservation of fewer than 20,000 blocks is one section.
 */
const SECTION = 10_000n

/** Of the computed blocks of a section, every 256th is kept, so that later reads start from it. */
const KEEP_INTERVAL = 256n

class ReservedEntry extends ChainEntry {
  override get keptState(): StateRoot | undefined {
    return this.parent?.keptState
  }
}

/**
 * Consecutive empty blocks with fixed numbers and timestamps. A block is made when it is first read. It has the state and
 * the header of the block before the reservation, except for number, timestamp, hashes, total difficulty and the fields
 * of the consensus.
 */
export class BlockReservation implements Reservation {
  /** Number of the last block. */
  readonly last: bigint
  readonly keepsState = true
  readonly #parent: ChainEntry
  readonly #first: bigint
  readonly #gapSeconds: bigint
  readonly #made = new Map<bigint, ChainEntry>()
  readonly #byHash = new Map<Hash, ChainEntry>()

  /** Reserves the blocks after an empty block, up to a last one, at equal distances in time. */
  constructor(parent: ChainEntry, last: Pick<Header, 'number' | 'timestamp'>) {
    const { number, timestamp } = parent.block.header
    this.#parent = parent
    this.#first = number + 1n
    this.last = last.number
    this.#gapSeconds = (last.timestamp - timestamp) / (last.number - number)
  }

  makeLast(): ChainEntry {
    return present(this.make(this.last), 'last block of a reservation')
  }

  /** Makes the block with this number; absent if it is not reserved here. */
  make(number: bigint): ChainEntry | undefined {
    if (number < this.#first || number > this.last) return undefined
    return this.#made.get(number) ?? this.#makeFromNearest(number)
  }

  byHash(hash: Hash): ChainEntry | undefined {
    const entry = this.#byHash.get(hash)
    // Makes the parent too, so that a client can follow the parent hashes from block to block.
    if (entry !== undefined) this.make(BigInt(entry.number) - 1n)
    return entry
  }

  /** Makes the last blocks, fewer than a section, and yields their headers, oldest first. */
  *newestHeaders(count: bigint): IterableIterator<Header> {
    const start = this.last - count < this.#first ? this.#first : this.last - count + 1n
    for (const block of this.#blocksAfter((this.make(start - 1n) ?? this.#parent).block, start)) {
      const { number } = block.header
      // The index asks for the parent of the last one.
      if (number >= this.last - 1n || number % KEEP_INTERVAL === 0n) this.#keep(block)
      yield block.header
    }
  }

  #makeFromNearest(number: bigint): ChainEntry {
    const start = this.#sectionStart(number)
    let known = number - 1n
    while (known >= start && !this.#made.has(known)) known--
    const beforeSection = start === this.#first ? this.#parent : undefined
    const before = known < start ? beforeSection : this.#made.get(known)
    for (const block of this.#blocksAfter(before?.block, known + 1n)) {
      const made = block.header.number
      if (made === number) return this.#keep(block)
      if (made % KEEP_INTERVAL === 0n || made === number - 1n) this.#keep(block)
    }
    throw new InvariantError(`block ${number} is beyond its reservation`)
  }

  #sectionStart(number: bigint): bigint {
    const sectionsAfter = (this.last - number) / SECTION
    const start = this.last + 1n - (sectionsAfter + 1n) * SECTION
    return start < this.#first + SECTION ? this.#first : start
  }

  /** The blocks from `start` on. If the block before `start` is unknown, the first one has the zero hash as its parent hash. */
  *#blocksAfter(known: Block | undefined, start: bigint): IterableIterator<Block> {
    let before = known
    for (let number = start; number <= this.last; number++) {
      before = this.#blockAt(number, before)
      yield before
    }
  }

  #keep(block: Block): ChainEntry {
    const entry = new ReservedEntry({ block, state: undefined, parent: this.#parent, reservation: this })
    this.#made.set(block.header.number, entry)
    this.#byHash.set(block.hash, entry)
    return entry
  }

  #blockAt(number: bigint, before: Block | undefined): Block {
    const { header, totalDifficulty } = this.#parent.block
    const blocks = number - header.number
    const parentHash = before?.hash ?? ZERO_HASH
    return withHash({
      header: {
        ...header,
        parentHash,
        number,
        timestamp: header.timestamp + blocks * this.#gapSeconds,
        mixHash: mixHashAfter({ header, hash: parentHash }),
        ...header.consensus.reservedBlockFields(header, before?.header),
      },
      receipts: [],
      uncles: [],
      totalDifficulty: totalDifficulty + blocks * header.difficulty,
    })
  }
}

/** The reservation that contains a block and ends at `last`; absent if the block directly follows the parent entry. */
export function reservationWith(
  { number, timestamp }: Header,
  parent: ChainEntry,
  last = number,
): BlockReservation | undefined {
  const { header } = parent.block
  const blocks = number - header.number
  if (blocks <= 1n) return undefined
  const gapSeconds = (timestamp - header.timestamp) / blocks
  return new BlockReservation(parent, { number: last, timestamp: timestamp + (last - number) * gapSeconds })
}
