/** A working copy on which a contract can be the sender of a transaction, as calls may have it (EIP-3607 forbids it in blocks). */

import type { Address } from '../base/hex.ts'
import { EMPTY_BYTES } from '../base/hex.ts'
import { EMPTY_CODE_HASH } from '../state/account.ts'
import type { AccountFields } from '../state/account.ts'
import { State } from '../state/state.ts'

/** A state that can hide the code of an account once. */
export class CallerState extends State {
  #disguised: Address | undefined

  /** Shows an account without its code when it is read next: a transaction reads its sender before anything else. */
  disguise(sender: Address): void {
    this.#disguised = sender
  }

  override account(address: Address): AccountFields | undefined {
    const fields = super.account(address)
    if (address !== this.#disguised) return fields
    this.#disguised = undefined
    return fields === undefined ? undefined : { ...fields, code: EMPTY_BYTES, codeHash: EMPTY_CODE_HASH }
  }
}
