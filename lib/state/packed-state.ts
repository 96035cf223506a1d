/**
 * Old states, as their differences from the states before. Paths of changed tries take thirty times the memory. One state in
 * so many is kept whole, and the others are rebuilt from it when they are asked for.
 */

import { InvariantError, present } from '../base/invariant.ts'
import { ValueCodec } from '../base/value-codec.ts'
import { differenceOf, withDifference } from './difference.ts'
import type { AccountDifference } from './account.ts'
import type { StateContent, StateDifference, StateRoot } from './state-root.ts'

/** One in so many consecutive states is kept whole. */
const KEEP_INTERVAL = 256

const codec = new ValueCodec()

/** The difference of a state from an earlier one. */
export class PackedState implements StateDifference {
  readonly earlier: StateRoot
  /** Number of differences since the last state that is kept whole, which has zero. */
  readonly distance: number
  readonly #text: string

  constructor(state: StateRoot, earlier: StateRoot) {
    this.earlier = earlier
    this.distance = ((earlier.packed?.distance ?? 0) + 1) % KEEP_INTERVAL
    this.#text = codec.encode(differenceOf(earlier, state))
  }

  /** The accounts that differ. */
  get difference(): readonly AccountDifference[] {
    const accounts = codec.decode(this.#text)
    if (!isDifference(accounts)) throw new InvariantError('a packed state is none')
    return accounts
  }

  /** The state, rebuilt from the nearest earlier one that is whole. */
  rebuild(): StateContent {
    const differences = [this.difference]
    let { earlier } = this
    while (!earlier.isWhole) {
      const packed = present(earlier.packed, 'difference of a state that is not whole')
      differences.push(packed.difference)
      ;({ earlier } = packed)
    }
    return withDifference(earlier, differences.reverse().flat()).content
  }
}

/** Packs a state as its difference from an earlier one, which is packed already. The earlier one may be left a difference only. */
export function packState(state: StateRoot, earlier: StateRoot): void {
  if (state === earlier || state.packed !== undefined) return
  state.pack(new PackedState(state, earlier))
  if (earlier.packed !== undefined && earlier.packed.distance > 0) earlier.release()
}

/** Whether a decoded value is a difference. Only this file encodes, so its kind tells. */
const isDifference = (value: unknown): value is readonly AccountDifference[] => Array.isArray(value)
