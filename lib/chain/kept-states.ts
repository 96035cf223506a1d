/** Drops the states after old blocks (--keep-states). Blocks, receipts and logs stay. */

import type { ChainEntry } from './chain-entry.ts'

/** A chain whose old states are dropped. */
export interface StateHolder {
  /** Number of the newest block. */
  readonly height: bigint
  /** Blocks from a height on, at most `count`, lowest first. Reserved blocks are left out. */
  readonly entriesFrom: (number: number, count?: number) => readonly ChainEntry[]
  readonly sideBlocks: Iterable<ChainEntry>
  /** Heads that a revert can restore. */
  readonly capturedHeads: () => Iterable<ChainEntry>
}

/** Maximum number of states that are dropped together, so that the search for snapshots costs little per block. */
const MAX_STEP = 1024

/** The rule for the states of all chains of a node. */
export class KeptStates {
  /** Age in blocks above which a state is old. */
  readonly #maxAge: number
  readonly #step: number
  /** Weakly, because chains end without notice. */
  readonly #chains = new Set<WeakRef<StateHolder>>()
  /** Height below which the states of a chain are dropped or spared. */
  readonly #ends = new WeakMap<StateHolder, number>()
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
    const start = Math.min(this.#ends.get(chain) ?? 0, kept)
    this.#ends.set(chain, start)
    if (Number(chain.height) - this.#maxAge - start >= this.#step) this.#dropFrom(start, chain)
  }

  #dropFrom(start: number, chain: StateHolder): void {
    const entries = chain.entriesFrom(start, Number(chain.height) - start)
    const firstYoung = entries.findIndex((entry, index) => !this.#isOld(entry, entries[index + 1], chain))
    const old = firstYoung < 0 ? entries : entries.slice(0, firstYoung)
    this.#ends.set(chain, entries[firstYoung]?.number ?? start)
    const oldSides = [...chain.sideBlocks].filter((entry) => this.#isOld(entry, undefined, chain))
    const chains = [...this.#livingChains()]
    const captured = new Set(chains.flatMap((one) => [...one.capturedHeads()]))
    const isNeeded = (entry: ChainEntry): boolean =>
      captured.has(entry) || chains.some((other) => this.#isYoungIn(other, entry))
    const candidates = [...this.#spared, ...old, ...oldSides]
    this.#spared = new Set(candidates.filter(isNeeded))
    for (const entry of candidates) if (!this.#spared.has(entry)) entry.dropState()
  }

  /** Whether a state is old. Reserved blocks have the state of the entry before them. */
  #isOld(entry: ChainEntry, next: ChainEntry | undefined, { height }: StateHolder): boolean {
    const last = next?.reservation?.keepsState === true ? next.number : entry.number
    return Number(height) - last > this.#maxAge
  }

  #isYoungIn(chain: StateHolder, entry: ChainEntry): boolean {
    const [found, next] = chain.entriesFrom(entry.number, 2)
    return found === entry && !this.#isOld(entry, next, chain)
  }

  *#livingChains(): IterableIterator<StateHolder> {
    for (const reference of this.#chains) {
      const chain = reference.deref()
      if (chain === undefined) this.#chains.delete(reference)
      else yield chain
    }
  }
}
