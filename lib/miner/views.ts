/** What a block reference means: a block of the chain, or the one that would be mined now. */

import type { ChainEntry } from '../chain/chain-entry.ts'
import { NodeError } from '../base/errors.ts'
import type { Block } from '../chain/block.ts'
import type { Chain } from '../chain/chain.ts'
import type { BlockSelector } from '../chain/block-selector.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { Miner } from './miner.ts'

/** A reference as requests make it. */
export type ViewRef = BlockSelector | { readonly tag: 'pending' }

/** A block and the state after it. */
export interface View {
  readonly block: Block
  readonly state: StateRoot
  /** The block is not mined: clients get no hash of it. */
  readonly isPending: boolean
}

/** Finds the block a request speaks of. */
export class Views {
  readonly #chain: Chain
  readonly #mempool: Mempool
  readonly #miner: Miner
  // The preview is the same as long as everything is that it was made of.
  #preview: { readonly madeOf: readonly unknown[]; readonly entry: ChainEntry } | undefined

  constructor(parts: { readonly chain: Chain; readonly mempool: Mempool; readonly miner: Miner }) {
    this.#chain = parts.chain
    this.#mempool = parts.mempool
    this.#miner = parts.miner
  }

  /** @throws NodeError 'unknownBlock' */
  at(ref: ViewRef): View {
    return this.find(ref) ?? this.#unknown(ref)
  }

  /** Absent when there is no such block. */
  find(ref: ViewRef): View | undefined {
    if (isPending(ref)) return this.#pending()
    const entry = this.#chain.find(ref)
    return entry === undefined ? undefined : { block: entry.block, state: entry.state, isPending: false }
  }

  #unknown(ref: ViewRef): never {
    if (!isPending(ref)) this.#chain.get(ref)
    throw new NodeError('unknownBlock', 'Block not found')
  }

  /** The entry of a block, with what stands before it; absent when there is no such block. */
  entry(ref: ViewRef): ChainEntry | undefined {
    return isPending(ref) ? this.#previewed() : this.#chain.find(ref)
  }

  #pending(): View {
    const { block, state } = this.#previewed()
    return { block, state, isPending: true }
  }

  #previewed(): ChainEntry {
    const parts = this.#ingredients()
    const known = this.#preview
    const isKnown =
      known?.madeOf.length === parts.length && known.madeOf.every((part, n) => part === parts[n])
    if (known !== undefined && isKnown) return known.entry
    const entry = this.#miner.preview()
    this.#preview = { madeOf: parts, entry }
    return entry
  }

  /** Head, pool, time, what was set of the next block, and the blocks beside the chain that it may name as uncles. */
  #ingredients(): readonly unknown[] {
    const { settings } = this.#miner
    const { timestamp } = this.#miner.plan()
    return [this.#chain.head, this.#mempool.version, timestamp, settings.value, ...this.#chain.siblings]
  }
}

function isPending(ref: ViewRef): ref is { readonly tag: 'pending' } {
  return 'tag' in ref && ref.tag === 'pending'
}
