/** Finds the code that a call to an account runs. */

import { implementationOf } from '../artifacts/proxies.ts'
import { toAddress } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { NotLoadedError } from '../base/not-loaded.ts'
import { delegationOf } from '../evm/delegation.ts'
import type { AccountFields } from '../state/account.ts'
import type { StateRoot } from '../state/state-root.ts'

/** Code of an account. */
export type ExecutedCode = Pick<AccountFields, 'code' | 'codeHash'>

/** The code of an account, and that of the contract which runs in its place. */
export interface ExecutedCodes {
  readonly own: ExecutedCode
  /** The code that a clone (EIP-1167), a proxy (EIP-1967) or a delegated account (EIP-7702) runs. */
  readonly implementation: ExecutedCode | undefined
}

/** The codes that a call to an account runs; undefined for an account without code. */
export function executedCodes(state: StateRoot, to: Address): ExecutedCodes | undefined {
  const own = codeAt(state, to)
  if (own === undefined) return undefined
  const delegated = delegationOf(own.code)
  const target =
    delegated === undefined
      ? implementationOf(own.code, (slot) => ifLoaded(() => state.storageAt(to, slot)))
      : toAddress(delegated)
  return { own, implementation: target === undefined ? undefined : codeAt(state, target) }
}

/** The code at an address; undefined if there is none, or if it was never read on a fork. */
export function codeAt(state: StateRoot, address: Address): ExecutedCode | undefined {
  const account = ifLoaded(() => state.account(address))
  return account === undefined || account.code.length === 0 ? undefined : account
}

/** What an execution has read is loaded. */
function ifLoaded<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof NotLoadedError) return undefined
    throw error
  }
}
