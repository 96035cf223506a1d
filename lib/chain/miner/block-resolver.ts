/** Resolves a block reference to a block of the chain or to the pending block. */

import type { BlockSelector, Block } from '../block.ts'
import type { ChainEntry } from '../chain-entry.ts'
import type { Chain } from '../chain.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { Miner } from './miner.ts'

/** A reference to a block in a request. */
export type BlockRef = BlockSelector | { readonly tag: 'pending' }

/** A block and the state after it. */
export interface ResolvedBlock {
  readonly block: Block
  readonly state: StateRoot
  /** The block is not mined, so clients get no hash. */
  readonly isPending: boolean
}

/** A chain, and what makes its blocks. */
export interface BlockResolverDependencies {
  readonly chain: Chain
  readonly mempool: Mempool
  readonly miner: Miner
  readonly options: {
    /** Number of blocks between the newest and the safe one. */
    readonly slotsInAnEpoch: bigint
  }
}

/** Epochs between the newest block and that of a tag (Anvil, --slots-in-an-epoch). */
const EPOCHS = { latest: 0n, earliest: 0n, safe: 1n, finalized: 2n }

/** Resolves block references of requests. */
export class BlockResolver {
  readonly #dependencies: BlockResolverDependencies
  // Valid while head, pool, timestamp, settings, and the side blocks that may become uncles are the same.
  #cachedEntry: { readonly inputs: readonly unknown[]; readonly entry: ChainEntry } | undefined

  constructor(dependencies: BlockResolverDependencies) {
    this.#dependencies = dependencies
  }

  /** @throws NodeError 'unknownBlock' */
  at(ref: BlockRef): ResolvedBlock {
    return resolved(this.entryAt(ref), isPending(ref))
  }

  /** The entry of a block, with its parents. @throws NodeError 'unknownBlock' */
  entryAt(ref: BlockRef): ChainEntry {
    return isPending(ref) ? this.#pendingEntry() : this.#dependencies.chain.get(this.#selector(ref))
  }

  /** Absent if the block does not exist. */
  find(ref: BlockRef): ResolvedBlock | undefined {
    const entry = this.entry(ref)
    return entry && resolved(entry, isPending(ref))
  }

  /** The entry of a block, with its parents; absent if the block does not exist. */
  entry(ref: BlockRef): ChainEntry | undefined {
    return isPending(ref) ? this.#pendingEntry() : this.#dependencies.chain.find(this.#selector(ref))
  }

  /** The number of a safe or a finalized block; it is not below the first block. */
  #selector(ref: BlockSelector): BlockSelector {
    const { chain, options } = this.#dependencies
    const depth = 'tag' in ref ? EPOCHS[ref.tag] * options.slotsInAnEpoch : 0n
    if (depth === 0n) return ref
    return depth < chain.height ? { number: chain.height - depth } : { tag: 'earliest' }
  }

  #pendingEntry(): ChainEntry {
    const { chain, mempool, miner } = this.#dependencies
    const next = miner.nextBlock()
    const { timestamp } = next.context
    const inputs = [next.parent, mempool.version, timestamp, miner.settings.value, ...chain.sideBlocks]
    const known = this.#cachedEntry
    const isKnown =
      known?.inputs.length === inputs.length && known.inputs.every((input, n) => input === inputs[n])
    if (known !== undefined && isKnown) return known.entry
    const entry = miner.pendingBlock(next)
    this.#cachedEntry = { inputs, entry }
    return entry
  }
}

/** The state is read on demand, because old states are dropped. */
const resolved = (entry: ChainEntry, pending: boolean): ResolvedBlock => ({
  block: entry.block,
  isPending: pending,
  get state() {
    return entry.state
  },
})

const isPending = (ref: BlockRef): ref is { readonly tag: 'pending' } => 'tag' in ref && ref.tag === 'pending'
