/** The canonical chain: which blocks count, and the state after each. Making blocks is the miner's work. */

import { NodeError } from '../base/errors.ts'
import { Event } from '../base/events.ts'
import type { Hash } from '../base/hex.ts'
import { invariant, present } from '../base/invariant.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { World } from '../world/world.ts'
import type { Block, Receipt } from './block.ts'
import { LogIndex } from './log-index.ts'

/** A canonical block, the state that follows it, and what stands before it. */
export interface ChainEntry {
  readonly block: Block
  /** State after the block. Differs from the header's root once the state was edited directly. */
  readonly state: StateRoot
  readonly parent: ChainEntry | undefined
}

/** A change of the head: blocks that left the chain, newest first, and blocks that joined, oldest first. */
export interface HeadChange {
  readonly removed: readonly Block[]
  readonly added: readonly Block[]
}

/** Ways to name a block that is on the chain or was read from a request. */
export type BlockSelector =
  | { readonly tag: 'latest' | 'earliest' | 'safe' | 'finalized' }
  | { readonly number: bigint }
  | { readonly hash: Hash; readonly requireCanonical?: boolean }

/** The chain of one world. */
export class Chain {
  /** Emitted after the head changed, with every index up to date. */
  readonly headChanged = new Event<HeadChange>()
  /** Where addresses and topics occur on the canonical chain. */
  readonly logIndex = new LogIndex()
  // Position is block number. Entries above a reverted head are dropped, so that nothing reaches them any more.
  readonly #canonical: ChainEntry[]
  readonly #byHash = new Map<Hash, ChainEntry>()
  readonly #receipts = new Map<Hash, { readonly entry: ChainEntry; readonly receipt: Receipt }>()

  constructor(world: World, genesis: { readonly block: Block; readonly state: StateRoot }) {
    const entry = { ...genesis, parent: undefined }
    this.#canonical = [entry]
    this.#index(entry)
    const capturable = { capture: () => this.head, restore: (head: ChainEntry) => this.#moveTo(head) }
    world.own('chain', capturable, () => this.head)
  }

  /** The newest block and its state. */
  get head(): ChainEntry {
    return present(this.#canonical.at(-1), 'head')
  }

  get genesis(): ChainEntry {
    return present(this.#canonical[0], 'genesis')
  }

  /** Adds a block on top of the head. */
  append(block: Block, state: StateRoot): void {
    const parent = this.head
    invariant(block.header.parentHash === parent.block.hash, `block ${block.hash} does not follow the head`)
    this.#push({ block, state, parent })
    this.headChanged.emit({ removed: [], added: [block] })
  }

  /** The canonical block at a height. */
  at(number: bigint): ChainEntry | undefined {
    return number < BigInt(this.#canonical.length) ? this.#canonical[Number(number)] : undefined
  }

  /** The block with a hash. */
  byHash(hash: Hash): ChainEntry | undefined {
    return this.#byHash.get(hash)
  }

  /** The block a selector names, if there is one. */
  find(selector: BlockSelector): ChainEntry | undefined {
    if ('number' in selector) return this.at(selector.number)
    if ('hash' in selector) return this.byHash(selector.hash)
    return selector.tag === 'earliest' ? this.genesis : this.head
  }

  /** @throws NodeError 'unknownBlock' */
  get(selector: BlockSelector): ChainEntry {
    const entry = this.find(selector)
    if (entry !== undefined) return entry
    const name =
      'hash' in selector
        ? `with hash ${selector.hash}`
        : 'number' in selector
          ? `0x${selector.number.toString(16)}`
          : selector.tag
    throw new NodeError('unknownBlock', `Block ${name} not found`)
  }

  /** A mined transaction by its hash, with its block. */
  receipt(hash: Hash): { readonly entry: ChainEntry; readonly receipt: Receipt } | undefined {
    return this.#receipts.get(hash)
  }

  /** Replaces the state after the head and leaves its header alone: for direct edits of accounts. */
  editHead(state: StateRoot): void {
    const edited = { ...this.head, state }
    this.#canonical[this.#canonical.length - 1] = edited
    this.#index(edited)
  }

  /** Makes a known entry the head again: back along the chain, and forward again if it lies on another branch. */
  #moveTo(head: ChainEntry): void {
    const joining: ChainEntry[] = []
    let shared: ChainEntry | undefined = head
    while (shared !== undefined && this.at(shared.block.header.number) !== shared) {
      joining.unshift(shared)
      shared = shared.parent
    }
    const kept = shared === undefined ? 0 : Number(shared.block.header.number) + 1
    const leaving = this.#canonical.splice(kept).reverse()
    for (const entry of leaving) this.#forget(entry)
    for (const entry of joining) this.#push(entry)
    this.#announce(leaving, joining)
  }

  /** An entry whose state alone was edited leaves and joins with the same block: that is no change of the chain. */
  #announce(leaving: readonly ChainEntry[], joining: readonly ChainEntry[]): void {
    const blocksOnlyIn = (these: readonly ChainEntry[], those: readonly ChainEntry[]) => {
      const others = new Set(those.map(({ block }) => block))
      return these.map(({ block }) => block).filter((block) => !others.has(block))
    }
    const change = { removed: blocksOnlyIn(leaving, joining), added: blocksOnlyIn(joining, leaving) }
    if (change.removed.length + change.added.length > 0) this.headChanged.emit(change)
  }

  #push(entry: ChainEntry): void {
    this.#canonical.push(entry)
    this.#index(entry)
    this.logIndex.add(entry.block)
  }

  #forget(entry: ChainEntry): void {
    this.logIndex.remove(entry.block)
    this.#byHash.delete(entry.block.hash)
    for (const { transaction } of entry.block.receipts) this.#receipts.delete(transaction.hash)
  }

  #index(entry: ChainEntry): void {
    this.#byHash.set(entry.block.hash, entry)
    for (const receipt of entry.block.receipts)
      this.#receipts.set(receipt.transaction.hash, { entry, receipt })
  }
}
