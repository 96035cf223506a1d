/**
 * Keeps the chains of a node within --max-memory: when memory gets scarce, old blocks are compressed, and then fewer old states
 * keep their tries. Nothing is lost: what is asked for is decompressed or rebuilt.
 */

import { KeptTries } from '../state/kept-tries.ts'
import type { CompressionStep } from './compressed-blocks.ts'

/** A chain that can be made smaller. */
export interface ShrinkableChain {
  /** Compresses some old blocks. Returns false if there are too few. */
  readonly compress: (what: CompressionStep) => boolean
  /** Releases the tries of old states that need not be kept. */
  readonly releaseTries: () => void
}

/** The memory that the chains of a node may take. */
export interface MemoryLimit {
  /** In bytes. */
  readonly maxBytes: number
  /** Bytes that the process uses now, some of which may be garbage. */
  readonly usedBytes: () => number
}

/** Part of the memory above which old blocks are compressed. */
const COMPRESS_ABOVE = 0.4

/** Part of the memory above which fewer old states keep their tries, once the blocks are compressed. */
const THIN_ABOVE = 0.6

/** Number of blocks that are added between two checks. A check compresses more blocks than that. */
const CHECK_INTERVAL = 16

/** Number of blocks after which the effect of keeping fewer tries can be seen: the garbage has been collected by then. */
const THIN_INTERVAL = 2000

/** Number of newest blocks that are not compressed: at first, and once fewer states keep their tries. */
const NEWEST = 128
const FEWER_NEWEST = 16

/** Chains that are fewer are not searched for those that have ended. */
const MIN_SWEEP = 64

const NO_LIMIT: MemoryLimit = { maxBytes: Infinity, usedBytes: () => 0 }

/** The memory of the chains of one node. */
export class ChainMemory {
  readonly keptTries = new KeptTries()
  readonly #limit: MemoryLimit
  /** Weakly, because chains end without notice. */
  readonly #chains = new Set<WeakRef<ShrinkableChain>>()
  /** Number of chains at which those that have ended are dropped. */
  #sweepAt = MIN_SWEEP
  #added = 0
  #thinnedAt = -THIN_INTERVAL

  constructor(limit = NO_LIMIT) {
    this.#limit = limit
  }

  /** The memory in bytes. */
  get maxBytes(): number {
    return this.#limit.maxBytes
  }

  /** Adds a chain to those that are made smaller. */
  register(chain: ShrinkableChain): void {
    this.#chains.add(new WeakRef(chain))
    if (this.#chains.size < this.#sweepAt) return
    this.#sweepAt = Math.max(MIN_SWEEP, 2 * [...this.#all()].length)
  }

  /** To be called after a block was added to a chain. */
  blockAdded(chain: ShrinkableChain): void {
    this.#added++
    if (this.#added % CHECK_INTERVAL !== 0) return
    const part = this.#limit.usedBytes() / this.#limit.maxBytes
    if (part < COMPRESS_ABOVE) return
    const isCompressed = this.#compress(chain)
    const canThin = this.keptTries.canThin && this.#added - this.#thinnedAt >= THIN_INTERVAL
    if (part >= THIN_ABOVE && !isCompressed && canThin) this.#thin()
  }

  /** Compresses blocks of the chain, or else of another one. Returns false if no chain has any left. */
  #compress(chain: ShrinkableChain): boolean {
    const newest = this.#thinnedAt < 0 ? NEWEST : FEWER_NEWEST
    if (chain.compress({ newest, isIdle: false })) return true
    for (const other of this.#all())
      if (other !== chain && other.compress({ newest, isIdle: true })) return true
    return false
  }

  #thin(): void {
    this.#thinnedAt = this.#added
    this.keptTries.thin()
    for (const chain of this.#all()) chain.releaseTries()
  }

  *#all(): IterableIterator<ShrinkableChain> {
    for (const reference of this.#chains) {
      const chain = reference.deref()
      if (chain === undefined) this.#chains.delete(reference)
      else yield chain
    }
  }
}
