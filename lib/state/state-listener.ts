/** Hooks for changes of the state, with the names of geth's (go-ethereum, core/tracing/hooks.go). */

import type { Address, Hash } from '../base/hex.ts'
import type { AccountFields } from './account.ts'
import { EMPTY_ACCOUNT } from './account.ts'

/** Hears of changes when they are made, and not when they are taken back. */
export interface StateListener {
  readonly onBalanceChange?: ((address: Address, previous: bigint, balance: bigint) => void) | undefined
  readonly onNonceChange?: ((address: Address, previous: bigint, nonce: bigint) => void) | undefined
  readonly onCodeChange?: ((address: Address, previous: Uint8Array, code: Uint8Array) => void) | undefined
  readonly onStorageChange?: ((change: SlotChange) => void) | undefined
}

/** A change of one slot. Storage that goes with a deleted account is not told slot by slot. */
export interface SlotChange {
  readonly address: Address
  readonly slot: Hash
  /** Without leading zeros; a precompile of network 33 can keep more than 32 bytes. */
  readonly previous: Uint8Array
  /** In the same form. */
  readonly value: Uint8Array
}

/** Tells what is different in an account; one that is missing counts as an empty one. */
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
