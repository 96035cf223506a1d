/** Reads and changes accounts for the machine, and notifies the observer of accesses to accounts. */

import type { Address } from '../../base/hex.ts'
import { MAX_UINT256 } from '../../base/limits.ts'
import { invariant } from '../../base/invariant.ts'
import type { AccountFields } from '../../state/account.ts'
import { EMPTY_ACCOUNT } from '../../state/account.ts'
import type { State } from '../../state/state.ts'
import type { Observer } from '../observer.ts'
import type { Machine } from './machine.ts'

/** The accounts of an execution. */
export class Accounts {
  readonly state: State
  readonly #observer: Observer | undefined

  constructor(state: State, observer: Observer | undefined) {
    this.state = state
    this.#observer = observer
  }

  get(address: Address): AccountFields | undefined {
    return this.state.account(address)
  }

  /** Notifies the observer that an instruction accesses an account by its address (EIP-2929). */
  access(address: Address): void {
    this.#observer?.onAccountAccess?.(address)
  }

  balance(address: Address): bigint {
    return this.get(address)?.balance ?? 0n
  }

  code(address: Address): Uint8Array {
    return (this.get(address) ?? EMPTY_ACCOUNT).code
  }

  /** Whether the account is empty or absent (EIP-161). */
  isEmpty(address: Address): boolean {
    const fields = this.get(address)
    return fields === undefined || (fields.nonce === 0n && fields.balance === 0n && fields.code.length === 0)
  }

  /** Transfers wei that the sender has. Returns false if the receiver's balance would overflow. */
  transfer(from: Address, to: Address, value: bigint): boolean {
    if (value === 0n) return true
    this.setBalance(from, this.balance(from) - value)
    const balance = this.balance(to) + value
    if (balance > MAX_UINT256) return false
    this.setBalance(to, balance)
    return true
  }

  setBalance(address: Address, balance: bigint): void {
    invariant(balance >= 0n, `${address} sends more than it has`)
    this.state.putAccount(address, { nonce: this.state.account(address)?.nonce ?? 0n, balance })
  }

  setNonce(address: Address, nonce: bigint): void {
    this.state.putAccount(address, { nonce, balance: this.state.account(address)?.balance ?? 0n })
  }

  /** Creates an empty account if the address has none. */
  createIfMissing(address: Address): void {
    if (this.get(address) === undefined) this.state.putAccount(address, EMPTY_ACCOUNT)
  }
}

/** Transfers wei and touches both accounts (EIP-161). Returns false if the receiver's balance would overflow. */
export function send(
  { accounts, rules, substate }: Pick<Machine, 'accounts' | 'rules' | 'substate'>,
  { from, to, value }: { readonly from: Address; readonly to: Address; readonly value: bigint },
): boolean {
  substate.touch(from)
  substate.touch(to)
  if (rules.call.createsMissingAccounts) accounts.createIfMissing(to)
  return accounts.transfer(from, to, value)
}
