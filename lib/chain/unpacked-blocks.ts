/** Decides when the blocks of a chain are packed: late, so that a short test run packs none, and a few at a time. */

import type { KeptTries } from '../state/kept-tries.ts'
import type { ChainEntry } from './chain-entry.ts'

/** Number of newest blocks that are not packed, however large they are. They are read most often. */
const MIN_UNPACKED = 128

/**
 * Weight of blocks above which the oldest are packed. A block weighs one, and one more per million gas, because gas bounds
 * the changes of the state. So many blocks with a transfer need four megabytes more than packed ones.
 */
const MAX_WEIGHT = 1200

const GAS_PER_WEIGHT = 1_000_000

/** Number of blocks that are packed together, which takes about a millisecond. */
const PACKED_TOGETHER = 16

interface UnpackedBlock {
  readonly entry: ChainEntry
  readonly weight: number
}

/** The unpacked blocks of one chain. */
export class UnpackedBlocks {
  /** Oldest first. */
  readonly #blocks: UnpackedBlock[] = []
  readonly #kept: KeptTries | undefined
  #weight = 0

  /** `kept` decides which of the packed states keep their tries. */
  constructor(kept?: KeptTries) {
    this.#kept = kept
  }

  /** The blocks for a chain that shares them: it packs them if this chain does not come to it. */
  copy(): UnpackedBlocks {
    const copy = new UnpackedBlocks(this.#kept)
    copy.#blocks.push(...this.#blocks)
    copy.#weight = this.#weight
    return copy
  }

  /** Adds the newest block, and packs the oldest ones if they are too many. */
  add(entry: ChainEntry): void {
    if (entry.isPacked) return
    while (this.#blocks[0]?.entry.isPacked === true) this.#dropOldest()
    const weight = 1 + Number(entry.block.header.gasUsed) / GAS_PER_WEIGHT
    this.#blocks.push({ entry, weight })
    this.#weight += weight
    if (this.#weight > MAX_WEIGHT && this.#blocks.length >= MIN_UNPACKED + PACKED_TOGETHER) this.#packOldest()
  }

  /** Drops the blocks from a height on. */
  cut(end: number): void {
    for (let last = this.#blocks.at(-1); last !== undefined; last = this.#blocks.at(-1)) {
      if (last.entry.number < end) return
      this.#weight -= last.weight
      this.#blocks.pop()
    }
  }

  #packOldest(): void {
    for (let count = 0; count < PACKED_TOGETHER; count++) this.#dropOldest()?.pack(this.#kept)
  }

  #dropOldest(): ChainEntry | undefined {
    const oldest = this.#blocks.shift()
    this.#weight -= oldest?.weight ?? 0
    return oldest?.entry
  }
}
