/** The tree of blocks: canonical chain, side blocks, and their states. block.ts chooses between chains; the miner makes blocks. */

import { NodeError } from '../base/errors.ts'
import { Emitter } from '../base/events.ts'
import type { Hash } from '../base/hex.ts'
import { invariant, present } from '../base/invariant.ts'
import { PHRASES } from '../config/phrases.ts'
import type { Header } from '../networks/consensus/consensus.ts'
import { State } from '../state/state.ts'
import { entryBefore } from './ancestors.ts'
import { selectorName, outweighs, type BlockSelector } from './block.ts'
import { changeOf, type ChainEntry, type HeadChange, type Path } from './chain-entry.ts'
import { ChainIndex, type ChainOrigin, type MinedReceipt } from './chain-index.ts'
import type { Capture, Captured, Cell, ChainInstance } from './instance/chain-instance.ts'
import { RemoteEntry, type RemoteHistory } from './remote-history.ts'

export class Chain {
  /** Emitted after the head changed and every index is up to date. Of blocks reserved by a long run it contains only the last. */
  readonly headChanged = new Emitter<HeadChange>()
  readonly captured: Captured<ChainEntry>
  readonly #index: ChainIndex
  readonly #instance: ChainInstance
  readonly #keptStates: KeptStates
  readonly #watches: (() => boolean)[] = []
  // Blocks mined below the head (eth_submitWork, anvil_reorg) or reorganized away. A revert drops those that are younger than the snapshot.
  readonly #sideBlocks: Cell<ReadonlyMap<Hash, ChainEntry>>

  /** Starts with a genesis block, with a block of a fork and its parents, or with the blocks of another local chain. */
  constructor(
    instance: ChainInstance,
    origin: ChainOrigin | ChainIndex,
    keptStates = new KeptStates(),
    sharedWith?: Chain,
  ) {
    this.#instance = instance
    this.#keptStates = keptStates
    this.#index = origin instanceof ChainIndex ? origin : ChainIndex.upTo(origin)
    // Created before the head, so that listeners of a revert find the side blocks restored already. State files have its name.
    this.#sideBlocks = instance.cell<ReadonlyMap<Hash, ChainEntry>>('siblings', 'restore', new Map())
    const capturable = {
      capture: () => this.head,
      restore: (head: ChainEntry) => void this.#follow(this.#pathTo(head)),
    }
    this.captured = instance.registerCapturable('chain', capturable, { peek: () => this.head })
    keptStates.register(this, sharedWith)
  }

  /** A chain for another chain instance, with this head. It shares the blocks up to the head, and has indexes of its own. */
  fork(instance: ChainInstance, head: ChainEntry): Chain {
    const forked = new Chain(instance, new ChainIndex(this.#index), this.#keptStates, this)
    forked.setHead(head)
    return forked
  }

  get height(): bigint {
    return BigInt(this.#index.length - 1)
  }

  /** Whether a filter or a subscription needs every block. */
  get needsEveryBlock(): boolean {
    return this.#watches.some((isWatching) => isWatching())
  }

  /** Registers a check whether a filter or a subscription needs every block. While one does, no blocks are reserved. */
  addEveryBlockCheck(isWatching: () => boolean): void {
    this.#watches.push(isWatching)
  }

  /** The canonical blocks from a height on, lowest first. Reserved blocks are left out. */
  entriesFrom(number: number, count?: number): readonly ChainEntry[] {
    return this.#index.lowest(number, count)
  }

  /** Heads that a revert can restore. */
  *capturedHeads(): IterableIterator<ChainEntry> {
    for (const capture of this.#instance.captures) yield this.captured.in(capture)
  }

  /** The newest block and its state. */
  get head(): ChainEntry {
    return present(this.#index.head, 'head')
  }

  get genesis(): ChainEntry {
    return present(this.#index.at(0), 'genesis')
  }

  get index(): Pick<ChainIndex, 'logs' | 'addresses' | 'indexAddresses'> {
    return this.#index
  }

  /**
   * Adds a block to the tree. It becomes the head if it follows the head, or if its chain outweighs that of the head
   * (node-chain 6.11). Otherwise it is a side block, and the result is `undefined`.
   */
  add(entry: ChainEntry): HeadChange | undefined {
    const { block, parent } = entry
    // Between an entry and its parent may be reserved blocks.
    const isLinked = entryBefore(entry)?.hash === block.header.parentHash
    invariant(isLinked, `block ${block.hash} does not follow its parent`)
    if (parent === this.head) return this.#follow({ kept: this.#index.length, joining: [entry] })
    const sideBlocks = new Map(this.#sideBlocks.value)
    const isBest = outweighs(block, this.head.block)
    const path = isBest ? this.#pathTo(entry) : undefined
    for (const sideBlock of path === undefined ? [entry] : this.#index.lowest(path.kept).toReversed())
      sideBlocks.set(sideBlock.hash, sideBlock)
    for (const joined of path?.joining ?? []) sideBlocks.delete(joined.hash)
    this.#sideBlocks.value = sideBlocks
    return path && this.#follow(path)
  }

  /** Makes an entry the head regardless of difficulty, even one on another genesis, and drops all side blocks. */
  setHead(head: ChainEntry): void {
    this.#sideBlocks.value = new Map()
    this.#follow(this.#pathTo(head))
  }

  /** Side blocks, oldest arrival first. */
  get sideBlocks(): Iterable<ChainEntry> {
    return this.#sideBlocks.value.values()
  }

  /** The side blocks in a capture, oldest arrival first. */
  sideBlocksIn(capture: Capture): Iterable<ChainEntry> {
    return this.#sideBlocks.in(capture).values()
  }

  at(number: bigint): ChainEntry | undefined {
    return number < BigInt(this.#index.length) ? this.#index.at(Number(number)) : undefined
  }

  /** The canonical block at a height, or an earlier one with the same state, so that no reserved block is made. */
  stateEntryAt(number: bigint): ChainEntry | undefined {
    return number < BigInt(this.#index.length) ? this.#index.stateEntryAt(Number(number)) : undefined
  }

  /** The block with a hash, canonical or a side block. */
  byHash(hash: Hash): ChainEntry | undefined {
    return this.#sideBlocks.value.get(hash) ?? this.#index.byHash(hash)
  }

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
    const tag = 'number' in selector ? selector.number : 'hash' in selector ? selector.hash : selector.tag
    const isSideBlock = 'hash' in selector && this.byHash(selector.hash) !== undefined
    throw new NodeError(
      'unknownBlock',
      `Block ${selectorName(selector)} ${isSideBlock ? 'is not on the canonical chain' : 'not found'}`,
      { phrases: PHRASES.unknownBlock(tag, this.head.block.header.number) },
    )
  }

  receipt(hash: Hash): MinedReceipt | undefined {
    return this.ownReceipt(hash) ?? this.remote?.receipt(hash)
  }

  /** Receipts of this chain only, without the remote chain that it continues. */
  ownReceipt(hash: Hash): MinedReceipt | undefined {
    return this.#index.receipt(hash)
  }

  /** The remote blocks that this chain continues; absent if it is no fork. */
  get remote(): RemoteHistory | undefined {
    const { genesis } = this
    return genesis instanceof RemoteEntry ? genesis.history : undefined
  }

  /** Looks up the parent of a block: at once, or for a remote block when the function is called. */
  parentLookup({ number, parentHash }: Header): () => ChainEntry | undefined {
    const { remote } = this
    if (remote !== undefined && number <= remote.last) return () => this.byHash(parentHash)
    const parent = this.byHash(parentHash)
    return () => parent
  }

  /** Edits the state after the head directly, without a transaction. Header and hash do not change. */
  editHead(edit: (state: State) => void): void {
    const state = new State(this.head.state)
    edit(state)
    const edited = this.head.withState(state.commitRoot())
    this.#index.cut(this.#index.length - 1)
    this.#index.push(edited)
  }

  /** The path from the head to an entry: back along the chain, and forward again if the entry is on another branch. */
  #pathTo(head: ChainEntry): Path {
    const joining: ChainEntry[] = []
    let shared: ChainEntry | undefined = head
    while (shared !== undefined && this.#index.at(shared.number) !== shared) {
      joining.unshift(shared)
      shared = shared.parent
    }
    const kept = shared === undefined ? 0 : shared.number + 1
    return { kept, joining }
  }

  /** Calls a listener with each new block. Remote blocks and the blocks of a loaded state are left out. */
  onNewBlock(listener: (entry: ChainEntry) => void): void {
    this.headChanged.on(({ added }) => {
      if (added[0]?.number === 0) return
      for (const entry of added) if (!(entry instanceof RemoteEntry)) listener(entry)
    })
  }

  /** Changes the chain along the path and emits the change. */
  #follow({ kept, joining }: Path): HeadChange {
    const change = changeOf(this.#index.lowest(kept).toReversed(), joining)
    this.#index.cut(kept)
    for (const entry of joining) this.#index.push(entry)
    if (change.removed.length + change.added.length > 0) this.headChanged.emit(change)
    this.#keptStates.headChanged(this, kept)
    return change
  }
}

/** A chain whose old states are dropped. */
type StateHolder = Pick<Chain, 'head' | 'entriesFrom' | 'sideBlocks' | 'capturedHeads'>

/** States are dropped this many at a time at most, so that the search for snapshots costs little per block. */
const MAX_STEP = 1024

/** Drops the states after old blocks of all chains of a node (--keep-states). Blocks, receipts and logs stay. */
export class KeptStates {
  /** Number of newer entries above which a state is old. A run of reserved blocks counts as one, because it holds one state. */
  readonly #maxAge: number
  readonly #step: number
  /** Held weakly, because nobody tells when a chain ends. */
  readonly #chains = new Set<WeakRef<StateHolder>>()
  readonly #ends = new WeakMap<StateHolder, ChainEntry>()
  /** Entries with old states that a snapshot or another chain needs. */
  #spared = new Set<ChainEntry>()

  /** Drops states of blocks that are more than `maxAge` below the head. */
  constructor(maxAge = Infinity) {
    this.#maxAge = maxAge
    this.#step = Math.min(MAX_STEP, 1 + Math.floor(maxAge / 8))
  }

  /** Adds a chain. If it shares the blocks of `origin`, it continues at the height reached there. */
  register(chain: StateHolder, origin?: StateHolder): void {
    this.#chains.add(new WeakRef(chain))
    const end = origin && this.#ends.get(origin)
    if (end !== undefined) this.#ends.set(chain, end)
  }

  /** Drops old states if there are enough. Call this after the head changed. Blocks from `kept` on have been replaced. */
  headChanged(chain: StateHolder, kept: number): void {
    const known = this.#ends.get(chain)
    const end = known !== undefined && known.number < kept ? known : this.#endAt(kept, chain)
    this.#ends.set(chain, end)
    if (chain.head.position - this.#maxAge - end.position >= this.#step) this.#dropFrom(end, chain)
  }

  /** The end of a chain of which nothing is dropped from a height on: its lowest entry the first time. */
  #endAt(kept: number, chain: StateHolder): ChainEntry {
    const [lowest] = chain.entriesFrom(this.#ends.has(chain) ? kept : 0, 1)
    return lowest ?? chain.head
  }

  #dropFrom(end: ChainEntry, chain: StateHolder): void {
    const count = chain.head.position - this.#maxAge - end.position
    const entries = chain.entriesFrom(end.number, count + 1)
    const old = entries.slice(0, count)
    this.#ends.set(chain, entries[count] ?? end)
    const oldSides = [...chain.sideBlocks].filter((entry) => this.#isOld(entry, chain))
    const chains = [...this.#livingChains()]
    const captured = new Set(chains.flatMap((holder) => [...holder.capturedHeads()]))
    const isNeeded = (entry: ChainEntry): boolean =>
      captured.has(entry) || chains.some((other) => this.#isYoungIn(other, entry))
    const candidates = [...this.#spared, ...old, ...oldSides]
    this.#spared = new Set(candidates.filter(isNeeded))
    for (const entry of candidates) if (!this.#spared.has(entry)) entry.dropState()
  }

  #isOld(entry: ChainEntry, { head }: StateHolder): boolean {
    return head.position - entry.position > this.#maxAge
  }

  #isYoungIn(chain: StateHolder, entry: ChainEntry): boolean {
    const [canonical] = chain.entriesFrom(entry.number, 1)
    return canonical === entry && !this.#isOld(entry, chain)
  }

  *#livingChains(): IterableIterator<StateHolder> {
    for (const reference of this.#chains) {
      const chain = reference.deref()
      if (chain === undefined) this.#chains.delete(reference)
      else yield chain
    }
  }
}
