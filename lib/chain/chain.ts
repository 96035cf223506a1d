/**
 * The tree of blocks: which of them are the chain, and the state after each. Which of two chains counts is fork-choice.ts;
 * making blocks is the miner's work.
 */

import type { ChainEntry } from './chain-entry.ts'
import { NodeError } from '../base/errors.ts'
import { Event } from '../base/events.ts'
import type { Hash } from '../base/hex.ts'
import { invariant, present } from '../base/invariant.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { Capture, Captured, Cell, ChainInstance } from '../instance/chain-instance.ts'
import { selectorName } from './block-selector.ts'
import type { BlockSelector } from './block-selector.ts'
import type { Block } from './block.ts'
import { ChainIndex } from './chain-index.ts'
import { outweighs } from './fork-choice.ts'
import type { LogIndex } from './log-index.ts'
import type { MinedReceipt } from './segment.ts'

/** A change of the head: blocks that left the chain, newest first, and blocks that joined, oldest first. */
export interface HeadChange {
  readonly removed: readonly Block[]
  readonly added: readonly Block[]
}

/** What somebody may want to hear of. */
export type Watched = 'blocks' | 'logs'

/** Whether somebody hears of them at present. */
type Watch = (what: Watched) => boolean

/** The chain of one world. */
export class Chain {
  /** Emitted after the head changed, with every index up to date; not for blocks that are reserved. */
  readonly headChanged = new Event<HeadChange>()
  /** The head in a capture. */
  readonly captured: Captured<ChainEntry>
  // The canonical blocks. Those above a reverted head are dropped, so that nothing reaches them any more.
  readonly #index: ChainIndex
  readonly #watches: Watch[] = []

  // Blocks that are not on the chain: they came late, or lost their place. Those younger than a snapshot go with a revert.
  readonly #siblings: Cell<ReadonlyMap<Hash, ChainEntry>>

  /** Begins with a genesis, or with the blocks of another chain. */
  constructor(
    instance: ChainInstance,
    origin: { readonly block: Block; readonly state: StateRoot } | ChainIndex,
  ) {
    if (origin instanceof ChainIndex) this.#index = origin
    else {
      this.#index = new ChainIndex()
      this.#index.push({ ...origin, parent: undefined })
    }
    // Before the head, so that whoever hears of a revert finds the blocks beside the chain as they were.
    this.#siblings = instance.cell<ReadonlyMap<Hash, ChainEntry>>('siblings', 'restore', new Map())
    const capturable = {
      capture: () => this.head,
      restore: (head: ChainEntry) => this.#stand(head),
    }
    this.captured = instance.own('chain', capturable, () => this.head)
  }

  /**
   * A chain of another world that stands on an entry and has what is below it in common with this one. It costs the
   * same however long the chain is; from now on neither sees what the other does.
   */
  fork(instance: ChainInstance, head: ChainEntry): Chain {
    const forked = new Chain(instance, this.#index.fork())
    forked.goTo(head)
    return forked
  }

  /** Number of the newest block, which is not made for that if it is reserved. */
  get height(): bigint {
    return BigInt(this.#index.length - 1)
  }

  /** Whether somebody hears of every block, or of every log. */
  isWatchedFor(what: Watched): boolean {
    return this.#watches.some((isWatching) => isWatching(what))
  }

  /** Registers somebody who may want to hear of them. No block is reserved while one would be missed. */
  addWatch(isWatching: Watch): void {
    this.#watches.push(isWatching)
  }

  /** Lets blocks follow the head that nobody has to hear of. Each is made of its parent when somebody looks. */
  reserve(count: number, make: (parent: ChainEntry) => ChainEntry): void {
    this.#index.reserve(count, make)
  }

  /** The newest block and its state. */
  get head(): ChainEntry {
    return present(this.#index.at(this.#index.length - 1), 'head')
  }

  get genesis(): ChainEntry {
    return present(this.#index.at(0), 'genesis')
  }

  /** Where addresses and topics occur on the canonical chain. */
  get logIndex(): Pick<LogIndex, 'candidates'> {
    return this.#index
  }

  /**
   * Adds a block to the tree. It becomes the head if it stands on it, or if its chain outweighs that of the head
   * (node-chain 6.11); else it stands beside the chain. Answers how the chain changed, or nothing.
   */
  add(entry: ChainEntry): HeadChange | undefined {
    const { block, parent } = entry
    invariant(
      parent?.block.hash === block.header.parentHash,
      `block ${block.hash} does not follow its parent`,
    )
    if (parent === this.head) return this.#follow({ kept: this.#index.length, joining: [entry] })
    const siblings = new Map(this.#siblings.value)
    const isBest = outweighs(block, this.head.block)
    const path = isBest ? this.#pathTo(entry) : undefined
    for (const left of path === undefined ? [entry] : this.#index.above(path.kept))
      siblings.set(left.block.hash, left)
    for (const joined of path?.joining ?? []) siblings.delete(joined.block.hash)
    this.#siblings.value = siblings
    return path && this.#follow(path)
  }

  /** Makes an entry the head, whatever its weight, and forgets what stands beside its chain. Its genesis may be another. */
  goTo(head: ChainEntry): void {
    this.#siblings.value = new Map()
    this.#stand(head)
  }

  /** Blocks beside the chain, oldest arrival first. */
  get siblings(): Iterable<ChainEntry> {
    return this.#siblings.value.values()
  }

  /** The same in a capture. */
  siblingsIn(capture: Capture): Iterable<ChainEntry> {
    return this.#siblings.in(capture).values()
  }

  /** The canonical block at a height. */
  at(number: bigint): ChainEntry | undefined {
    return number < BigInt(this.#index.length) ? this.#index.at(Number(number)) : undefined
  }

  /** The canonical block at a height, or an earlier one with the same state: no block of a leap is made for it. */
  stateEntryAt(number: bigint): ChainEntry | undefined {
    return number < BigInt(this.#index.length) ? this.#index.stateEntryAt(Number(number)) : undefined
  }

  /** The block with a hash, on the chain or beside it. */
  byHash(hash: Hash): ChainEntry | undefined {
    return this.#index.byHash(hash) ?? this.#siblings.value.get(hash)
  }

  /** The block a selector names, if there is one. */
  find(selector: BlockSelector): ChainEntry | undefined {
    if ('number' in selector) return this.at(selector.number)
    if ('hash' in selector)
      return selector.requireCanonical === true
        ? this.#index.byHash(selector.hash)
        : this.byHash(selector.hash)
    return selector.tag === 'earliest' ? this.genesis : this.head
  }

  /** @throws NodeError 'unknownBlock' */
  get(selector: BlockSelector): ChainEntry {
    const entry = this.find(selector)
    if (entry !== undefined) return entry
    const isBeside = 'hash' in selector && this.byHash(selector.hash) !== undefined
    throw new NodeError(
      'unknownBlock',
      `Block ${selectorName(selector)} ${isBeside ? 'is not on the canonical chain' : 'not found'}`,
    )
  }

  /** A mined transaction by its hash, with its block. */
  receipt(hash: Hash): MinedReceipt | undefined {
    return this.#index.receipt(hash)
  }

  /** Replaces the state after the head and leaves its header alone: for direct edits of accounts. */
  editHead(state: StateRoot): void {
    const edited = { ...this.head, state }
    this.#index.cut(this.#index.length - 1)
    this.#index.push(edited)
  }

  /** Nobody has seen what is reserved above the head, so nobody is told that it goes. */
  #stand(head: ChainEntry): void {
    this.#index.dropReserved()
    this.#follow(this.#pathTo(head))
  }

  /** The way from the head to an entry: back along the chain, and forward again if it lies on another branch. */
  #pathTo(head: ChainEntry): Path {
    const joining: ChainEntry[] = []
    let shared: ChainEntry | undefined = head
    while (shared !== undefined && this.at(shared.block.header.number) !== shared) {
      joining.unshift(shared)
      shared = shared.parent
    }
    const kept = shared === undefined ? 0 : Number(shared.block.header.number) + 1
    return { kept, joining }
  }

  /** Goes the way and tells of it. */
  #follow({ kept, joining }: Path): HeadChange {
    const change = changeOf(this.#index.above(kept), joining)
    this.#index.cut(kept)
    for (const entry of joining) this.#index.push(entry)
    if (change.removed.length + change.added.length > 0) this.headChanged.emit(change)
    return change
  }
}

/** A way through the tree. */
interface Path {
  /** Length of the chain up to the last block both ends share. */
  readonly kept: number
  /** Oldest first. */
  readonly joining: readonly ChainEntry[]
}

/** An entry whose state alone was edited leaves and joins with the same block: that is no change of the chain. */
function changeOf(leaving: readonly ChainEntry[], joining: readonly ChainEntry[]): HeadChange {
  // Most changes are a block that follows the head.
  if (leaving.length === 0) return { removed: [], added: joining.map(({ block }) => block) }
  const blocksOnlyIn = (these: readonly ChainEntry[], those: readonly ChainEntry[]) => {
    const others = new Set(those.map(({ block }) => block))
    return these.map(({ block }) => block).filter((block) => !others.has(block))
  }
  return { removed: blocksOnlyIn(leaving, joining), added: blocksOnlyIn(joining, leaving) }
}
