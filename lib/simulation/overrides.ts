/** Applies state overrides to the state that calls run on. */

import { fromHex, stripZeros } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import type { State } from '../state/state.ts'
import type { BlockOverrides } from './block-overrides.ts'

/** Changes to one account; absent members do not change (geth, internal/ethapi/override, OverrideAccount). */
export interface AccountOverride {
  /** Wei. */
  readonly balance?: bigint | undefined
  readonly nonce?: bigint | undefined
  readonly code?: Uint8Array | undefined
  /** Replaces the whole storage. */
  readonly state?: ReadonlyMap<Hash, Hash> | undefined
  /** Replaces single slots. */
  readonly stateDiff?: ReadonlyMap<Hash, Hash> | undefined
}

/** Changes to accounts, by address (geth, internal/ethapi/override, StateOverride). */
export type StateOverride = ReadonlyMap<Address, AccountOverride>

/** The state overrides and block overrides of a call. */
export interface Overrides {
  readonly stateOverrides?: StateOverride | undefined
  readonly blockOverrides?: BlockOverrides | undefined
}

/** Applies a state override to a working copy. */
export function overrideState(state: State, overrides: StateOverride | undefined): void {
  if (overrides === undefined) return
  for (const [address, account] of overrides) {
    const { nonce, balance } = state.account(address) ?? { nonce: 0n, balance: 0n }
    state.putAccount(address, { nonce: account.nonce ?? nonce, balance: account.balance ?? balance })
    if (account.code !== undefined) state.putCode(address, account.code)
    if (account.state !== undefined) state.clearStorage(address)
    for (const [slot, value] of account.state ?? account.stateDiff ?? []) {
      state.putStorage(address, slot, stripZeros(fromHex(value)))
    }
  }
}
