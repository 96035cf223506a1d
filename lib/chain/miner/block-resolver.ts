/** Resolves a block reference to a block of the chain or to the pending block. */

import { NotLoadedError, finish, type Routine } from '../../base/routine.ts'
import type { BlockSelector, Block } from '../block.ts'
import type { ChainEntry } from '../chain-entry.ts'
import type { Chain } from '../chain.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { Miner } from './miner.ts'
import type { NextBlock } from './next-block.ts'

export type BlockRef = BlockSelector | { readonly tag: 'pending' }

/** A block and the state after it. */
export interface ResolvedBlock {
  readonly block: Block
  readonly state: StateRoot
  /** The block is not mined, so clients get no hash. */
  readonly isPending: boolean
}

export interface BlockResolverDependencies {
  readonly chain: Chain
  readonly mempool: Mempool
  readonly miner: Miner
  readonly options: {
    /** Number of blocks between the newest and the safe one. */
    readonly slotsInAnEpoch: bigint
  }
}

/** How many epochs each tag is behind the newest block (Anvil, --slots-in-an-epoch). */
const EPOCHS = { latest: 0n, earliest: 0n, safe: 1n, finalized: 2n }
/** Thrown while a pending block is still being executed. */
export class PendingBlockError extends NotLoadedError {
  /** A resolver with this block, once it is made. By then chain and pool may have changed. */
  resolver: BlockResolver | undefined

  constructor(made: Promise<BlockResolver>) {
    super('the pending block', async () => void (this.resolver = await made))
  }
}

/** What a pending block depends on: head, pool, timestamp, settings, and the side blocks that may become uncles. */
type Inputs = readonly unknown[]

export class BlockResolver {
  readonly #dependencies: BlockResolverDependencies
  readonly #fixed: ChainEntry | undefined
  #cachedEntry: { readonly inputs: Inputs; readonly entry: ChainEntry } | undefined
  #making: { readonly inputs: Inputs; readonly error: PendingBlockError } | undefined

  /** `fixed` is the pending block if it has been made already. */
  constructor(dependencies: BlockResolverDependencies, fixed?: ChainEntry) {
    this.#dependencies = dependencies
    this.#fixed = fixed
  }

  /** @throws NodeError 'unknownBlock'; PendingBlockError, as the methods below */
  at(ref: BlockRef): ResolvedBlock {
    return resolved(this.entryAt(ref), isPending(ref))
  }

  /** The entry of a block, with its parents. @throws NodeError 'unknownBlock' */
  entryAt(ref: BlockRef): ChainEntry {
    return isPending(ref) ? this.#pendingEntry() : this.#dependencies.chain.get(this.#selector(ref))
  }

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

  /** The pending block, in a routine that waits until it is made. */
  *pending(): Routine<ResolvedBlock> {
    const next = this.#dependencies.miner.nextBlock()
    return resolved(yield* this.#make(next, this.#inputs(next)), true)
  }

  *#make(next: NextBlock, inputs: Inputs): Routine<ChainEntry> {
    if (this.#fixed !== undefined) return this.#fixed
    const known = this.#cachedEntry
    if (known !== undefined && areSame(known.inputs, inputs)) return known.entry
    const entry = yield* this.#dependencies.miner.pendingBlock(next)
    this.#cachedEntry = { inputs, entry }
    return entry
  }

  #inputs({ parent, context }: NextBlock): Inputs {
    const { chain, mempool, miner } = this.#dependencies
    return [parent, mempool.version, context.timestamp, miner.settings.value, ...chain.sideBlocks]
  }

  #pendingEntry(): ChainEntry {
    const next = this.#dependencies.miner.nextBlock()
    const inputs = this.#inputs(next)
    if (this.#making !== undefined && areSame(this.#making.inputs, inputs)) throw this.#making.error
    const making = finish(this.#make(next, inputs))
    if (!(making instanceof Promise)) return making
    const made = making.then((entry) => new BlockResolver(this.#dependencies, entry))
    const own = { inputs, error: new PendingBlockError(made) }
    this.#making = own
    const forget = (): unknown => this.#making === own && (this.#making = undefined)
    made.then(forget, forget)
    throw own.error
  }
}

const areSame = (before: Inputs, now: Inputs): boolean =>
  before.length === now.length && before.every((input, n) => input === now[n])

/** The state is read on demand, because old states are dropped. */
const resolved = (entry: ChainEntry, pending: boolean): ResolvedBlock => ({
  block: entry.block,
  isPending: pending,
  get state() {
    return entry.state
  },
})

const isPending = (ref: BlockRef): ref is { readonly tag: 'pending' } => 'tag' in ref && ref.tag === 'pending'
