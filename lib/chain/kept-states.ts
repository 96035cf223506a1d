/** Drops the states after old blocks (--keep-states). Blocks, receipts and logs stay. */

import type { ChainEntry } from './chain-entry.ts'

/** A chain whose old states are dropped. */
interface StateHolder {
  readonly head: ChainEntry
  /** Blocks from a height on, at most `count`, lowest first. Reserved blocks are left out. */
  readonly entriesFrom: (number: number, count?: number) => readonly ChainEntry[]
  readonly sideBlocks: Iterable<ChainEntry>
  readonly capturedHeads: () => Iterable<ChainEntry>
}

/** Maximum number of states that are dropped together, so that the search for snapshots costs little per block. */
const MAX_STEP = 1024

/** The rule for the states of all chains of a node. */
export class KeptStates {
  /** Number of newer entries above which a state is old. A run of reserved blocks counts as one, because it holds one state. */
  readonly #maxAge: number
  readonly #step: number
  /** Weakly, because chains end without notice. */
  readonly #chains = new Set<WeakRef<StateHolder>>()
  /** The entry of a chain below which states are dropped or spared. */
  readonly #ends = new WeakMap<StateHolder, ChainEntry>()
  /** Entries with old states that a snapshot or another chain needs. */
  #spared = new Set<ChainEntry>()

  /** States of blocks that are more than so many blocks below the head are dropped, some at a time. */
  constructor(maxAge = Infinity) {
    this.#maxAge = maxAge
    this.#step = Math.min(MAX_STEP, 1 + Math.floor(maxAge / 8))
  }

  /** Adds a chain. One that shares the blocks of another one continues where that is. */
  register(chain: StateHolder, origin?: StateHolder): void {
    this.#chains.add(new WeakRef(chain))
    const end = origin && this.#ends.get(origin)
    if (end !== undefined) this.#ends.set(chain, end)
  }

  /** Drops old states if there are enough of them. To be called after the head changed; blocks from `kept` on are others now. */
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
    const captured = new Set(chains.flatMap((one) => [...one.capturedHeads()]))
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
    const [found] = chain.entriesFrom(entry.number, 1)
    return found === entry && !this.#isOld(entry, chain)
  }

  *#livingChains(): IterableIterator<StateHolder> {
    for (const reference of this.#chains) {
      const chain = reference.deref()
      if (chain === undefined) this.#chains.delete(reference)
      else yield chain
    }
  }
}
