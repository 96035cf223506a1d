/** Compresses the old blocks of a chain when memory is scarce, the oldest first. */

import type { KeptTries } from '../state/kept-tries.ts'
import { ChainEntry } from './chain-entry.ts'

/** Number of blocks that are compressed together. To read one, all of them are decompressed, which takes 0.2 milliseconds. */
const MAX_TOGETHER = 64

/** What to compress of a chain. */
export interface CompressionStep {
  /** Number of newest blocks that are left out. */
  readonly newest: number
  /** Whether no more blocks are expected soon, so that fewer are compressed together than have most in common. */
  readonly isIdle: boolean
}

/** Fewer blocks are not compressed. */
const MIN_TOGETHER = 16

/** The blocks of a chain. */
export interface CompressibleBlocks {
  /** Number of blocks. */
  readonly length: number
  /** The lowest entries from a height on, at most `count`, lowest first. */
  readonly lowest: (number: number, count: number) => readonly ChainEntry[]
}

/** How far the blocks of one chain are compressed. */
export class CompressedBlocks {
  /** Height below which they are. */
  #end = 0

  /** The same for a chain that shares the blocks. */
  copy(): CompressedBlocks {
    const copy = new CompressedBlocks()
    copy.#end = this.#end
    return copy
  }

  /** Compresses the next blocks. Returns false if there are too few. */
  compressNext(blocks: CompressibleBlocks, { newest, isIdle }: CompressionStep, kept: KeptTries): boolean {
    const end = blocks.length - newest
    const entries = blocks.lowest(this.#end, MAX_TOGETHER).filter(({ number }) => number < end)
    const last = entries.at(-1)
    if (last === undefined || entries.length < (isIdle ? MIN_TOGETHER : MAX_TOGETHER)) return false
    ChainEntry.compress(entries, kept)
    this.#end = last.number + 1
    return true
  }

  /** Drops the blocks from a height on. */
  cut(end: number): void {
    this.#end = Math.min(this.#end, end)
  }
}
