/** Decides which packed states keep their tries, and keeps some of those that were rebuilt. The chains of a node share it. */

import type { StateContent, StateRoot } from './state-root.ts'

/**
 * A state whose tries would take this much work to rebuild keeps them. Rebuilding then takes a few milliseconds at most for
 * blocks of any size, and the kept tries add a tenth to the memory.
 */
const DEFAULT_MAX_WORK = 512

/** The work when memory is scarce: rebuilding takes about a second. */
const MAX_WORK = 2 ** 17

/** How much more work each step allows. */
const STEP = 4

/** Number of rebuilt tries that are kept. */
const MAX_RECENT = 32

/** The tries that packed states keep. */
export class KeptTries {
  #maxWork = DEFAULT_MAX_WORK
  /** Newest last. */
  readonly #recent: StateContent[] = []

  /** A state that would take this much work to rebuild keeps its tries. */
  get maxWork(): number {
    return this.#maxWork
  }

  /** Whether `thin` has an effect. */
  get canThin(): boolean {
    return this.#maxWork < MAX_WORK
  }

  /**
   * Work of applying the difference from the first state of a chain up to which that difference replaces the tries of a state;
   * zero until memory is scarce. System contracts write other slots in each block (EIP-2935, EIP-4788), so after a while hardly
   * a node is common to the tries of two states, which then take ten times the memory of the difference.
   */
  get maxFirstWork(): number {
    return this.canThin ? 0 : this.#maxWork / 2
  }

  /** The rebuilt tries that are kept, oldest first. */
  get recent(): readonly StateContent[] {
    return this.#recent
  }

  /** From now on, a fourth of the states keep their tries. Those that keep them already do so until `release`. */
  thin(): void {
    this.#maxWork = Math.min(this.#maxWork * STEP, MAX_WORK)
  }

  /** Keeps rebuilt tries until others were rebuilt, because the same or the next state is often read again. */
  remember(content: StateContent): void {
    this.#recent.push(content)
    if (this.#recent.length > MAX_RECENT) this.#recent.shift()
  }

  /** Releases the tries of packed states, oldest first, that take less work to rebuild than now is allowed. */
  release(states: Iterable<StateRoot>): void {
    let work = 0
    let last: StateRoot | undefined
    for (const state of states) {
      // The newest one stays whole, because the next state is compared with it.
      if (last !== undefined && last !== state) work = this.#releaseOne(last, work)
      last = state
    }
  }

  /** Returns the work of rebuilding the state. */
  #releaseOne(state: StateRoot, workBefore: number): number {
    const { packed } = state
    if (packed === undefined || !state.keepsTries) return workBefore
    const work = workBefore + packed.work
    if (work >= this.#maxWork) return 0
    state.release()
    return work
  }
}
