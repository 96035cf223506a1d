/** Resolves a block reference to a block of the chain or to the pending block. */

import { NodeError } from '../../base/errors.ts'
import type { BlockSelector, Block } from '../block.ts'
import type { ChainEntry } from '../chain-entry.ts'
import type { Chain } from '../chain.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { Miner } from './miner.ts'
import type { NextBlock } from './next-block.ts'

/** A reference to a block in a request. */
export type BlockRef = BlockSelector | { readonly tag: 'pending' }

/** A block and the state after it. */
export interface ResolvedBlock {
  readonly block: Block
  readonly state: StateRoot
  /** The block is not mined, so clients get no hash. */
  readonly isPending: boolean
}

/** Resolves block references of requests. */
export class BlockResolver {
  readonly #chain: Chain
  readonly #mempool: Mempool
  readonly #miner: Miner
  // Valid while all inputs of the pending block are the same.
  #cachedEntry: { readonly inputs: readonly unknown[]; readonly entry: ChainEntry } | undefined

  constructor(dependencies: { readonly chain: Chain; readonly mempool: Mempool; readonly miner: Miner }) {
    this.#chain = dependencies.chain
    this.#mempool = dependencies.mempool
    this.#miner = dependencies.miner
  }

  /** @throws NodeError 'unknownBlock' */
  at(ref: BlockRef): ResolvedBlock {
    return this.find(ref) ?? this.#unknown(ref)
  }

  /** Absent if the block does not exist. */
  find(ref: BlockRef): ResolvedBlock | undefined {
    if (isPending(ref)) return this.#pending()
    const entry = this.#chain.find(ref)
    if (entry === undefined) return undefined
    const { block } = entry
    // Read on demand, because old states are dropped.
    return {
      block,
      isPending: false,
      get state() {
        return entry.state
      },
    }
  }

  #unknown(ref: BlockRef): never {
    if (!isPending(ref)) this.#chain.get(ref)
    throw new NodeError('unknownBlock', 'Block not found')
  }

  /** The entry of a block, with its parents; absent if the block does not exist. */
  entry(ref: BlockRef): ChainEntry | undefined {
    return isPending(ref) ? this.#pendingEntry() : this.#chain.find(ref)
  }

  #pending(): ResolvedBlock {
    const { block, state } = this.#pendingEntry()
    return { block, state, isPending: true }
  }

  #pendingEntry(): ChainEntry {
    const next = this.#miner.nextBlock()
    const inputs = this.#inputsOf(next)
    const known = this.#cachedEntry
    const isKnown =
      known?.inputs.length === inputs.length && known.inputs.every((input, n) => input === inputs[n])
    if (known !== undefined && isKnown) return known.entry
    const entry = this.#miner.pendingBlock(next)
    this.#cachedEntry = { inputs, entry }
    return entry
  }

  /** Inputs of the pending block: head, pool, timestamp, block settings, and the side blocks that may become uncles. */
  #inputsOf({ parent, context }: NextBlock): readonly unknown[] {
    const { settings } = this.#miner
    return [parent, this.#mempool.version, context.timestamp, settings.value, ...this.#chain.sideBlocks]
  }
}

function isPending(ref: BlockRef): ref is { readonly tag: 'pending' } {
  return 'tag' in ref && ref.tag === 'pending'
}
