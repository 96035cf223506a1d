/** Rebuilds the root of the binary trie from a whole state, to compare it with the incremental root. */

import type { Address } from '../../lib/base/hex.ts'
import { toHex } from '../../lib/base/hex.ts'
import { BinaryState } from '../../lib/state/binary-state.ts'
import type { StateRoot } from '../../lib/state/state-root.ts'

/** Root hash of a new trie of all accounts. */
export function rebuiltHash(root: StateRoot, precompiles: ReadonlySet<Address>): string {
  let binary = BinaryState.empty(precompiles)
  for (const [address, account] of root.accounts()) {
    const slots = [...account.storage.entries()].map(([, { slot, value }]) => [slot, value] as const)
    binary = binary.with({
      address,
      account,
      storage: { isCleared: true, slots, isEmpty: slots.length === 0 },
    })
  }
  return toHex(binary.hash())
}
