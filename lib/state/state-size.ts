/** Estimates how much memory the tries of states take. */

import type { AccountEntry, StorageEntry } from './account.ts'
import { EMPTY_STORAGE } from './account.ts'
import type { StateContent, StateRoot } from './state-root.ts'

/** Bytes of the objects of a slot: the entry, the text of the slot, and the array with its value. */
const SLOT_BYTES = 350
/** Bytes of the objects of an account without code and slots. */
const ACCOUNT_BYTES = 300

/** Number of pairs of states whose difference is measured. */
const SAMPLES = 16

const slotSize = (slot: StorageEntry): number => SLOT_BYTES + slot.value.length

function accountSize(account: AccountEntry, earlier: AccountEntry | undefined): number {
  const code = earlier?.code === account.code ? 0 : account.code.length
  return ACCOUNT_BYTES + code + account.storage.sizeBeyond(earlier?.storage ?? EMPTY_STORAGE, slotSize)
}

/** Bytes of the tries of a state that another one does not have. */
export function sizeOfTries({ trie }: StateContent, other?: StateContent): number {
  return trie.sizeBeyond(other?.trie, accountSize)
}

/** Bytes of the tries that states keep, besides those of the last one, estimated from some of the states. */
export function sizeOfKeptTries(states: readonly StateRoot[]): number {
  const pairs = states.length - 1
  const measured = Math.min(pairs, SAMPLES)
  let bytes = 0
  for (let sample = 0; sample < measured; sample++) {
    const at = Math.floor((sample * pairs) / measured)
    const [state, next] = [states[at], states[at + 1]]
    if (state !== undefined && next !== undefined) bytes += sizeOfTries(state.content, next.content)
  }
  return measured === 0 ? 0 : (bytes * pairs) / measured
}
