/** Estimates how much memory the blocks of a chain and the states after them take. */

import { sizeOfKeptTries, sizeOfTries } from '../state/state-size.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { ChainEntry } from './chain-entry.ts'
import { packedLengths } from './packed-block.ts'
import { RemoteEntry } from './remote-history.ts'

/** Bytes in memory. */
export interface ChainSize {
  readonly states: number
  /** Headers and transactions. */
  readonly blocks: number
  /** Outcomes of transactions with their logs. */
  readonly receipts: number
}

/** Bytes of the objects of an entry and its state, and of those of a packed block and a packed state, without their texts. */
const ENTRY_BYTES = 72
const STATE_BYTES = 72
const PACKED_BYTES = 72

/** How much longer an unpacked block is than its text. */
const UNPACKED_FACTOR = 6

/** Number of blocks that are looked into. */
const SAMPLES = 16

/** Size of entries, lowest first, and the states after them. `withNewest` adds the whole tries of the newest state. */
export function sizeOfEntries(entries: readonly ChainEntry[], withNewest: boolean): ChainSize {
  const { length, receipts } = sampledLengths(entries)
  const keeping: StateRoot[] = []
  let [blocks, states] = [0, 0]
  let before: StateRoot | undefined
  for (const { packed, state } of entries) {
    blocks += ENTRY_BYTES + (packed === undefined ? length * UNPACKED_FACTOR : PACKED_BYTES + packed.size)
    if (state === before) continue
    before = state
    states += STATE_BYTES + (state.packed === undefined ? 0 : PACKED_BYTES + state.packed.size)
    if (state.keepsTries) keeping.push(state)
  }
  const newest = keeping.at(-1)
  states += sizeOfKeptTries(keeping) + (withNewest && newest ? sizeOfTries(newest.content) : 0)
  return { states, blocks: blocks * (1 - receipts), receipts: blocks * receipts }
}

/** The average length of a block as text, and the part of it that is receipts, of some of the blocks. */
function sampledLengths(entries: readonly ChainEntry[]): {
  readonly length: number
  readonly receipts: number
} {
  const step = Math.max(1, Math.floor(entries.length / SAMPLES))
  const lengths = entries
    .filter((entry, index) => index % step === 0 && !(entry instanceof RemoteEntry))
    .map(({ block }) => packedLengths(block))
  const whole = lengths.reduce((sum, one) => sum + one.whole, 0)
  if (whole === 0) return { length: 0, receipts: 0 }
  return {
    length: whole / lengths.length,
    receipts: lengths.reduce((sum, one) => sum + one.receipts, 0) / whole,
  }
}
