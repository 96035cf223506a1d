/** Hooks for changes of the state, with the names of geth's hooks (core/tracing/hooks.go). */

import type { Address, Hash } from '../base/hex.ts'
import { EMPTY_ACCOUNT, type AccountFields } from './account.ts'

/** Hooks that are called when a change is made, and not when it is reverted. */
export interface StateListener {
  readonly onBalanceChange?: ((address: Address, previous: bigint, balance: bigint) => void) | undefined
  readonly onNonceChange?: ((address: Address, previous: bigint, nonce: bigint) => void) | undefined
  readonly onCodeChange?: ((address: Address, previous: Uint8Array, code: Uint8Array) => void) | undefined
  readonly onStorageChange?: ((change: SlotChange) => void) | undefined
}

/** A change of one slot. The deletion of an account does not report its slots. */
export interface SlotChange {
  readonly address: Address
  readonly slot: Hash
  /** Without leading zeros. A precompile of network 33 can store more than 32 bytes in a slot. */
  readonly previous: Uint8Array
  /** In the same form as `previous`. */
  readonly value: Uint8Array
}

/** Calls the hooks for the fields of an account that differ. A missing account counts as empty. */
export function notifyAccountChange(
  listener: StateListener,
  address: Address,
  before: AccountFields = EMPTY_ACCOUNT,
  now: AccountFields = EMPTY_ACCOUNT,
): void {
  if (before.balance !== now.balance) listener.onBalanceChange?.(address, before.balance, now.balance)
  if (before.nonce !== now.nonce) listener.onNonceChange?.(address, before.nonce, now.nonce)
  if (before.codeHash !== now.codeHash) listener.onCodeChange?.(address, before.code, now.code)
}
