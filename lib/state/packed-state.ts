/**
 * Stores old states as their differences from the states before, because the tries take thirty times the memory. Some states
 * keep their tries (kept-tries.ts); the tries of the others are rebuilt from these when they are read.
 */

import { CompressibleText } from '../base/compressed-texts.ts'
import { InvariantError, present } from '../base/invariant.ts'
import { ValueCodec } from '../base/value-codec.ts'
import type { AccountDifference } from './account.ts'
import { differenceOf, withDifference } from './difference.ts'
import { KeptTries } from './kept-tries.ts'
import type { StateDifference, StateRoot } from './state-root.ts'

/** Work after which the tries are kept while others are rebuilt from them: states are often read one after another. */
const WORK_BETWEEN = 512

const codec = new ValueCodec()

/** The difference of a state from an earlier one. */
export class PackedState extends CompressibleText implements StateDifference {
  readonly earlier: StateRoot
  readonly work: number
  readonly #kept: KeptTries

  constructor(state: StateRoot, earlier: StateRoot, kept: KeptTries) {
    const difference = differenceOf(earlier, state)
    super(codec.encode(difference))
    this.earlier = earlier
    this.#kept = kept
    this.work = (isReleasable(earlier, kept) ? earlier.packed.work : 0) + workOf(difference)
  }

  /** The accounts that differ. */
  get difference(): readonly AccountDifference[] {
    const accounts = codec.decode(this.text)
    if (!isDifference(accounts)) throw new InvariantError('a packed state is no list of accounts')
    return accounts
  }

  /** Applies the differences from the nearest earlier state that has its tries in memory to `state`, which this belongs to. */
  rebuild(state: StateRoot): void {
    const path = [state]
    let { earlier } = this
    while (!earlier.hasTries) {
      path.push(earlier)
      ;({ earlier } = present(earlier.packed, 'difference of a state that is not whole'))
    }
    let differences: AccountDifference[] = []
    let work = 0
    for (const one of path.reverse()) {
      const { difference } = present(one.packed, 'difference of a packed state')
      differences.push(...difference)
      work += workOf(difference)
      if (one !== state && work < WORK_BETWEEN) continue
      const { content } = withDifference(earlier, differences)
      one.hold(content)
      this.#kept.remember(content)
      earlier = one
      differences = []
      work = 0
    }
  }
}

/** Packs a state as its difference from an earlier one. If that is packed already, it may be left a difference only. */
export function packState(state: StateRoot, earlier: StateRoot, kept = new KeptTries()): void {
  if (state === earlier || state.packed !== undefined) return
  if (earlier.packed !== undefined && !isReleasable(earlier, kept)) packFromFirst(earlier, kept)
  state.pack(new PackedState(state, earlier, kept))
  if (isReleasable(earlier, kept)) earlier.release()
}

/** Packs a state as its difference from the first state of its chain, if that is applied quickly and memory is scarce. */
function packFromFirst(state: StateRoot, kept: KeptTries): void {
  if (kept.maxFirstWork === 0) return
  let first = state
  while (first.packed !== undefined) first = first.packed.earlier
  const packed = new PackedState(state, first, kept)
  if (packed.work > kept.maxFirstWork) return
  CompressibleText.compress([packed])
  state.pack(packed)
}

/** The text of a packed state, to be compressed with others; undefined if the state is not packed. */
export const compressibleState = ({ packed }: StateRoot): CompressibleText | undefined =>
  packed instanceof PackedState ? packed : undefined

/** Whether a state is packed and quickly rebuilt. */
function isReleasable(
  state: StateRoot,
  { maxWork }: KeptTries,
): state is StateRoot & { readonly packed: StateDifference } {
  return state.packed !== undefined && state.packed.work < maxWork
}

/** Work of applying a difference: one unit for the state, and one for each account and slot that differs. */
const workOf = (accounts: readonly AccountDifference[]): number =>
  accounts.reduce((sum, { account }) => sum + 1 + (account?.storage.length ?? 0), 1)

/** Whether a decoded value is a difference. Only this file encodes, so the check for a list suffices. */
const isDifference = (value: unknown): value is readonly AccountDifference[] => Array.isArray(value)
