/**
 * Stores old states as their differences from the states before, because the tries take thirty times the memory. Some states
 * keep their tries; the tries of the others are rebuilt from these when they are read.
 */

import { InvariantError, present } from '../base/invariant.ts'
import { ValueCodec } from '../base/value-codec.ts'
import type { AccountDifference } from './account.ts'
import { differenceOf, withDifference } from './difference.ts'
import type { StateContent, StateDifference, StateRoot } from './state-root.ts'

/**
 * A state whose tries would take this much work to rebuild keeps them. Rebuilding then takes a few milliseconds at most for
 * blocks of any size, and the kept tries add a tenth to the memory.
 */
const MAX_WORK = 512

const codec = new ValueCodec()

/** The difference of a state from an earlier one. */
export class PackedState implements StateDifference {
  readonly earlier: StateRoot
  readonly work: number
  readonly #text: string

  constructor(state: StateRoot, earlier: StateRoot) {
    this.earlier = earlier
    const difference = differenceOf(earlier, state)
    const work = (earlier.packed?.work ?? 0) + workOf(difference)
    this.work = work < MAX_WORK ? work : 0
    this.#text = codec.encode(difference)
  }

  /** The accounts that differ. */
  get difference(): readonly AccountDifference[] {
    const accounts = codec.decode(this.#text)
    if (!isDifference(accounts)) throw new InvariantError('a packed state is no list of accounts')
    return accounts
  }

  /** The tries, rebuilt from those of the nearest earlier state that has them in memory. */
  rebuild(): StateContent {
    const differences = [this.difference]
    let { earlier } = this
    while (!earlier.hasTries) {
      const packed = present(earlier.packed, 'difference of a state that is not whole')
      differences.push(packed.difference)
      ;({ earlier } = packed)
    }
    return withDifference(earlier, differences.reverse().flat()).content
  }
}

/** Packs a state as its difference from an earlier one. If that is packed already, it may be left a difference only. */
export function packState(state: StateRoot, earlier: StateRoot): void {
  if (state === earlier || state.packed !== undefined) return
  state.pack(new PackedState(state, earlier))
  if (earlier.packed !== undefined && earlier.packed.work > 0) earlier.release()
}

/** Work of applying a difference: one unit for the state, and one for each account and slot that differs. */
const workOf = (accounts: readonly AccountDifference[]): number =>
  accounts.reduce((sum, { account }) => sum + 1 + (account?.storage.length ?? 0), 1)

/** Whether a decoded value is a difference. Only this file encodes, so the check for a list suffices. */
const isDifference = (value: unknown): value is readonly AccountDifference[] => Array.isArray(value)
