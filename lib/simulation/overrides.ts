/** Applies state overrides to the working copy of a call. */

import { fromHex, stripZeros } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import type { State } from '../state/state.ts'

/** What one account pretends to be; what is absent stays as it is. */
export interface StateOverride {
  /** Wei. */
  readonly balance?: bigint | undefined
  readonly nonce?: bigint | undefined
  readonly code?: Uint8Array | undefined
  /** The whole storage. */
  readonly state?: ReadonlyMap<Hash, Hash> | undefined
  /** Single slots. */
  readonly stateDiff?: ReadonlyMap<Hash, Hash> | undefined
}

/** Applies pretences to a working copy. */
export function applyOverrides(state: State, overrides: ReadonlyMap<Address, StateOverride>): void {
  for (const [address, pretence] of overrides) {
    const { nonce, balance } = state.account(address) ?? { nonce: 0n, balance: 0n }
    state.putAccount(address, { nonce: pretence.nonce ?? nonce, balance: pretence.balance ?? balance })
    if (pretence.code !== undefined) state.putCode(address, pretence.code)
    if (pretence.state !== undefined) state.clearStorage(address)
    for (const [slot, value] of pretence.state ?? pretence.stateDiff ?? []) {
      state.putStorage(address, slot, stripZeros(fromHex(value)))
    }
  }
}
